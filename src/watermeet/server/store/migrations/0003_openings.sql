-- How matches ended in which a move was played in a position, for whoever played it. A position's key
-- is the same for all positions that are images of each other; plies are the moves of all matches.
-- Derived: if both tables are emptied, the server counts again.
CREATE TABLE openings (
  position BYTEA NOT NULL,
  code BIGINT NOT NULL,
  wins BIGINT NOT NULL,
  draws BIGINT NOT NULL,
  losses BIGINT NOT NULL,
  plies BIGINT NOT NULL,
  PRIMARY KEY (position, code)
);

-- The matches that were counted: each once, whichever node does it.
CREATE TABLE explored (
  match_id TEXT NOT NULL PRIMARY KEY
);

CREATE INDEX matches_finished ON matches (game, id) WHERE stage = 'finished';
