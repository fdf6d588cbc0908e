-- Who has left a rated match; derived from the logs: watermeet ratings recompute does it again.
CREATE TABLE departures (
  match_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (match_id, user_id)
);
CREATE INDEX departures_of_user ON departures (user_id, at);

INSERT INTO compatible (number, oldest) VALUES (16, 15);
