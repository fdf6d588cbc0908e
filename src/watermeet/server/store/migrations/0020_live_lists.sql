-- Matches in play are listed by their age: in the order of their last moves, spectators of a delayed one would learn when
-- somebody moves. Paused ones are among them, since spectators see the pause late, too.
DROP INDEX matches_live;
DROP INDEX matches_live_of_game;
CREATE INDEX matches_live ON matches (created_at, id)
  WHERE stage IN ('playing', 'paused') AND is_public;
CREATE INDEX matches_live_of_game ON matches (game, created_at, id)
  WHERE stage IN ('playing', 'paused') AND is_public;

INSERT INTO compatible (number, oldest) VALUES (20, 19);
