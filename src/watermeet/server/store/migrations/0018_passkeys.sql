-- Passkeys: what WebAuthn needs to know one again.
CREATE TABLE passkeys (
  id BYTEA NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL,
  public_key BYTEA NOT NULL,
  sign_count BIGINT NOT NULL,
  label TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX passkeys_of_user ON passkeys (user_id);

-- Mail addresses that were confirmed.
CREATE TABLE mail_addresses (
  user_id TEXT NOT NULL PRIMARY KEY,
  address TEXT NOT NULL
);

-- What a code is for, such as the address that it confirms; and codes that have expired are deleted.
ALTER TABLE codes ADD COLUMN body TEXT NOT NULL DEFAULT '';
CREATE INDEX codes_by_expiry ON codes (expires_at);

-- What a personal access token allows, separated by spaces; NULL: everything, as a session does. And
-- when the holder of a session last proved who they are.
ALTER TABLE tokens ADD COLUMN scopes TEXT;
ALTER TABLE tokens ADD COLUMN proven_at BIGINT;

INSERT INTO compatible (number, oldest) VALUES (18, 17);
