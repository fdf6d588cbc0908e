-- Attempts to sign in: until when the bucket of a name and an address, hashed, isn't empty again.
CREATE TABLE attempts (
  key BYTEA NOT NULL PRIMARY KEY,
  free_at BIGINT NOT NULL
);
CREATE INDEX attempts_old ON attempts (free_at);

INSERT INTO compatible (number, oldest) VALUES (21, 20);
