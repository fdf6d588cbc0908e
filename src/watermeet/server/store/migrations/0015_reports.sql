-- What people report about each other, with the evidence as it was then.
CREATE TABLE reports (
  id TEXT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  reporter_id TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  subject_name TEXT NOT NULL,
  reason TEXT NOT NULL,
  note TEXT NOT NULL,
  match_id TEXT NOT NULL,
  evidence BYTEA NOT NULL,
  decision TEXT NOT NULL,
  decided_at BIGINT
);
CREATE INDEX reports_by_decision ON reports (decision, at);
CREATE INDEX reports_of_subject ON reports (subject_id, at);

INSERT INTO compatible (number, oldest) VALUES (15, 14);
