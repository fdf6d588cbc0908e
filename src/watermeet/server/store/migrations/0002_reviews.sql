-- Reviews of matches that have ended. They are derived: one that is deleted is computed again.
CREATE TABLE reviews (
  match_id TEXT NOT NULL PRIMARY KEY,
  body BYTEA NOT NULL
);
