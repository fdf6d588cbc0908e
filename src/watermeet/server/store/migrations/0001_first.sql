-- The first schema, for both engines. SQLite accepts any type name, so these are PostgreSQL's.
-- Times are milliseconds since 1970.

-- The truth: everything that happened in a match. The primary key decides which writer was first.
CREATE TABLE log (
  match_id TEXT NOT NULL,
  seq BIGINT NOT NULL CHECK (seq > 0),
  body BYTEA NOT NULL,
  PRIMARY KEY (match_id, seq)
);

-- An index of the matches for lists, updated by every append.
CREATE TABLE matches (
  id TEXT NOT NULL PRIMARY KEY,
  game TEXT NOT NULL,
  stage TEXT NOT NULL,
  is_public BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  due_at BIGINT,
  headline BYTEA NOT NULL
);

-- Partial indexes: most matches are over, and cost these nothing.
CREATE INDEX matches_open ON matches (created_at, id) WHERE stage = 'open' AND is_public;
CREATE INDEX matches_open_of_game ON matches (game, created_at, id)
  WHERE stage = 'open' AND is_public;
CREATE INDEX matches_live ON matches (changed_at, id) WHERE stage = 'playing' AND is_public;
CREATE INDEX matches_live_of_game ON matches (game, changed_at, id)
  WHERE stage = 'playing' AND is_public;
CREATE INDEX matches_due ON matches (due_at) WHERE due_at IS NOT NULL;

-- The random secret of a match. Not in the log, because the log is published when the match is over.
CREATE TABLE secrets (
  match_id TEXT NOT NULL PRIMARY KEY,
  secret BYTEA NOT NULL
);

-- Who plays or played on which seat.
CREATE TABLE players (
  user_id TEXT NOT NULL,
  match_id TEXT NOT NULL,
  seat BIGINT NOT NULL,
  PRIMARY KEY (user_id, match_id, seat)
);

-- name_key is the case-folded name. The program computes it: the engines' lower() functions differ
-- outside of English.
CREATE TABLE users (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT,
  name_key TEXT UNIQUE,
  created_at BIGINT NOT NULL
);

-- What a token allows, by the hash of the token.
CREATE TABLE tokens (
  hash BYTEA NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  user_id TEXT,
  match_id TEXT,
  seat BIGINT,
  created_at BIGINT NOT NULL
);

-- Jobs for nodes. A job can be leased from free_at on: when it is ready, or its lease has expired.
CREATE TABLE jobs (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  match_id TEXT NOT NULL,
  seat BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  body BYTEA NOT NULL,
  ready_at BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  worker TEXT,
  free_at BIGINT NOT NULL
);
CREATE INDEX jobs_free ON jobs (kind, free_at);
