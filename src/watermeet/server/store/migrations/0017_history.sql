-- What profiles show. Derived from the logs but for the favourites: watermeet ratings recompute does
-- it again.

-- How finished matches ended for each player of a kind (user, bot). The result is won, drawn or lost;
-- empty for somebody who played against themselves. Beside the match.
CREATE TABLE results (
  player_kind TEXT NOT NULL,
  player_id TEXT NOT NULL,
  match_id TEXT NOT NULL,
  game TEXT NOT NULL,
  ended_at BIGINT NOT NULL,
  result TEXT NOT NULL,
  is_rated BOOLEAN NOT NULL,
  is_public BOOLEAN NOT NULL,
  PRIMARY KEY (match_id, player_kind, player_id)
);
CREATE INDEX results_of_player ON results (player_kind, player_id, ended_at, match_id);

-- Ratings of users after each rated match, in hundredths.
CREATE TABLE rating_history (
  game TEXT NOT NULL,
  kind TEXT NOT NULL,
  user_id TEXT NOT NULL,
  ended_at BIGINT NOT NULL,
  match_id TEXT NOT NULL,
  value BIGINT NOT NULL,
  deviation BIGINT NOT NULL,
  PRIMARY KEY (game, kind, user_id, ended_at, match_id)
);

CREATE INDEX rating_history_of_match ON rating_history (match_id);

-- Matches that somebody wants to find again.
CREATE TABLE favourites (
  user_id TEXT NOT NULL,
  match_id TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (user_id, match_id)
);

INSERT INTO compatible (number, oldest) VALUES (17, 16);
