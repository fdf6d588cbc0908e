-- Bots have sockets and a stream: nothing calls them any more.
DROP TABLE webhooks;

-- What has expired is deleted: tokens, and guests who can't come back.
CREATE INDEX tokens_by_expiry ON tokens (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX users_guests ON users (created_at)
  WHERE kind IN ('guest', 'named') AND NOT is_registered;
