-- Accounts: a user who can sign in. users.is_registered says who has one.

-- Names that look alike have the same skeleton (Unicode TR39). The program computes it, like name_key,
-- also for users from before: see Store.fill_skeletons.
ALTER TABLE users ADD COLUMN name_skeleton TEXT;
CREATE UNIQUE INDEX users_name_skeleton ON users (name_skeleton);
CREATE INDEX users_without_skeleton ON users (id) WHERE name IS NOT NULL AND name_skeleton IS NULL;

-- Names of deleted users, hashed: nobody gets one again.
CREATE TABLE retired_names (
  hash BYTEA NOT NULL PRIMARY KEY
);

CREATE TABLE passwords (
  user_id TEXT NOT NULL PRIMARY KEY,
  hash TEXT NOT NULL
);

-- What lets somebody in once: a code for another device.
CREATE TABLE codes (
  hash BYTEA NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  user_id TEXT NOT NULL,
  expires_at BIGINT
);
CREATE INDEX codes_of_user ON codes (user_id, kind);

-- Sessions are the tokens of devices: on which device, when it was last used, about, and until when.
ALTER TABLE tokens ADD COLUMN label TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN used_at BIGINT;
ALTER TABLE tokens ADD COLUMN expires_at BIGINT;
CREATE INDEX tokens_of_user ON tokens (user_id);

INSERT INTO compatible (number, oldest) VALUES (8, 7);
