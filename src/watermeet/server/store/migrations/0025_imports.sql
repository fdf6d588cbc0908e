-- Imported records, and who has imported them: those of people without an account are deleted after a while.
CREATE TABLE imports (
  match_id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX imports_by_age ON imports (at);

INSERT INTO compatible (number, oldest) VALUES (25, 24);
