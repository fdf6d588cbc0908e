-- Whether a user has an account, and so may play rated matches.
ALTER TABLE users ADD COLUMN is_registered BOOLEAN NOT NULL DEFAULT FALSE;

-- Everything below is derived from the logs of rated matches: watermeet ratings recompute does it again.

-- The matches that count, each once, in the order of their ends; body is what they mean for ratings.
CREATE TABLE rated_matches (
  match_id TEXT NOT NULL PRIMARY KEY,
  game TEXT NOT NULL,
  kind TEXT NOT NULL,
  ended_at BIGINT NOT NULL,
  body BYTEA NOT NULL
);
CREATE INDEX rated_matches_in_order ON rated_matches (game, kind, ended_at, match_id);

-- A player of a kind (user, bot, difficulty) after their last match. Value and deviation are in
-- hundredths, for lists; body has the exact numbers.
CREATE TABLE ratings (
  game TEXT NOT NULL,
  kind TEXT NOT NULL,
  player_kind TEXT NOT NULL,
  player_id TEXT NOT NULL,
  value BIGINT NOT NULL,
  deviation BIGINT NOT NULL,
  ended_at BIGINT NOT NULL,
  match_id TEXT NOT NULL,
  body BYTEA NOT NULL,
  PRIMARY KEY (game, kind, player_kind, player_id)
);
CREATE INDEX ratings_of_player ON ratings (player_kind, player_id);
CREATE INDEX ratings_by_value ON ratings (game, kind, player_kind, value);

-- How often the ratings of a pool were written: a writer that has read older ones is rejected.
CREATE TABLE rating_pools (
  game TEXT NOT NULL,
  kind TEXT NOT NULL,
  formula BIGINT NOT NULL,
  version BIGINT NOT NULL,
  PRIMARY KEY (game, kind)
);

INSERT INTO compatible (number, oldest) VALUES (7, 6);
