-- Who looks for a match: one row for each user, so that pairing somebody is one conditional update.
-- Whatever changes what they seek raises the version. Without a heartbeat, seeks end at alive_until.
CREATE TABLE seekers (
  user_id TEXT NOT NULL PRIMARY KEY,
  version BIGINT NOT NULL,
  alive_until BIGINT NOT NULL,
  seeks BYTEA NOT NULL,
  match_id TEXT NOT NULL,
  paired_at BIGINT NOT NULL
);
CREATE INDEX seekers_alive ON seekers (alive_until);

-- A challenge of one user to another; the status is open, accepted, declined or withdrawn.
CREATE TABLE challenges (
  id TEXT NOT NULL PRIMARY KEY,
  from_user TEXT NOT NULL,
  to_user TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  match_id TEXT NOT NULL,
  body BYTEA NOT NULL
);
CREATE INDEX challenges_from ON challenges (from_user, expires_at);
CREATE INDEX challenges_to ON challenges (to_user, expires_at);
CREATE INDEX challenges_old ON challenges (expires_at);

INSERT INTO compatible (number, oldest) VALUES (10, 7);
