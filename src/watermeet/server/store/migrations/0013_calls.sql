-- Keys that the server makes once and keeps, such as the one it signs push messages with.
CREATE TABLE server_keys (
  name TEXT NOT NULL PRIMARY KEY,
  body BYTEA NOT NULL
);

-- Where a device gets push messages, by the hash of its token: it ends with the session. Kinds are
-- separated by spaces.
CREATE TABLE push_subscriptions (
  token_hash BYTEA NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  p256dh BYTEA NOT NULL,
  auth BYTEA NOT NULL,
  language TEXT NOT NULL,
  kinds TEXT NOT NULL
);
CREATE INDEX push_subscriptions_of_user ON push_subscriptions (user_id);
CREATE UNIQUE INDEX push_subscriptions_by_endpoint ON push_subscriptions (endpoint);

-- Who gets mail about matches that wait for them: how often (in milliseconds), and when next. The code
-- is that of the link that ends it.
CREATE TABLE digests (
  user_id TEXT NOT NULL PRIMARY KEY,
  every BIGINT NOT NULL,
  language TEXT NOT NULL,
  code_hash BYTEA NOT NULL,
  next_at BIGINT NOT NULL
);
CREATE INDEX digests_in_order ON digests (next_at);
CREATE UNIQUE INDEX digests_by_code ON digests (code_hash);

-- Where a bot is called, and since when that has failed; a webhook that has failed for long is off.
CREATE TABLE webhooks (
  user_id TEXT NOT NULL PRIMARY KEY,
  url TEXT NOT NULL,
  secret TEXT NOT NULL,
  is_on BOOLEAN NOT NULL,
  failing_since BIGINT,
  last_status BIGINT
);

INSERT INTO compatible (number, oldest) VALUES (13, 12);
