-- What users are to each other: follow, block, or mute, which blocks talk alone.
CREATE TABLE ties (
  user_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  other_id TEXT NOT NULL,
  label TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (user_id, kind, other_id)
);
CREATE INDEX ties_of_other ON ties (other_id, kind);

INSERT INTO compatible (number, oldest) VALUES (9, 8);
