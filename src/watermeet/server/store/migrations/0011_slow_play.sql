-- When somebody was on vacation from slow matches: until when it lasts at most, and when it ended. Settled:
-- the logs of all their matches say so.
CREATE TABLE vacations (
  user_id TEXT NOT NULL,
  began_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  ended_at BIGINT,
  is_settled BOOLEAN NOT NULL DEFAULT FALSE,
  PRIMARY KEY (user_id, began_at)
);
CREATE UNIQUE INDEX vacations_now ON vacations (user_id) WHERE ended_at IS NULL;
CREATE INDEX vacations_to_settle ON vacations (began_at, user_id) WHERE NOT is_settled;

-- The replies that a seat has queued in a slow match: JSON, for nobody else's eyes.
CREATE TABLE queued_replies (
  match_id TEXT NOT NULL,
  seat BIGINT NOT NULL,
  body BYTEA NOT NULL,
  PRIMARY KEY (match_id, seat)
);

INSERT INTO compatible (number, oldest) VALUES (11, 10);
