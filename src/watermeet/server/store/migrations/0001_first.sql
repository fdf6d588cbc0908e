-- The first schema. Both engines read this file: SQLite takes any word for a type, so the words are
-- PostgreSQL's. Times are whole milliseconds since 1970.

-- The truth: what happened in a match, entry by entry. The key decides who was first.
CREATE TABLE log (
  match_id TEXT NOT NULL,
  seq BIGINT NOT NULL CHECK (seq > 0),
  body BYTEA NOT NULL,
  PRIMARY KEY (match_id, seq)
);

-- What lists of matches show, written with every append.
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

-- Partial indexes: most matches are over, and those that are over cost them nothing.
CREATE INDEX matches_open ON matches (created_at, id) WHERE stage = 'open' AND is_public;
CREATE INDEX matches_open_of_game ON matches (game, created_at, id)
  WHERE stage = 'open' AND is_public;
CREATE INDEX matches_live ON matches (changed_at, id) WHERE stage = 'playing' AND is_public;
CREATE INDEX matches_live_of_game ON matches (game, changed_at, id)
  WHERE stage = 'playing' AND is_public;
CREATE INDEX matches_due ON matches (due_at) WHERE due_at IS NOT NULL;

-- The random secret of a match: apart from the log, because logs are shown when a match is over.
CREATE TABLE secrets (
  match_id TEXT NOT NULL PRIMARY KEY,
  secret BYTEA NOT NULL
);

-- Who sits or sat where.
CREATE TABLE players (
  user_id TEXT NOT NULL,
  match_id TEXT NOT NULL,
  seat BIGINT NOT NULL,
  PRIMARY KEY (user_id, match_id, seat)
);

-- name_key is the name without regard to case; the program makes it, since the engines' own lower()
-- do not agree beyond English.
CREATE TABLE users (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT,
  name_key TEXT UNIQUE,
  created_at BIGINT NOT NULL
);

-- What a token allows, by its hash.
CREATE TABLE tokens (
  hash BYTEA NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  user_id TEXT,
  match_id TEXT,
  seat BIGINT,
  created_at BIGINT NOT NULL
);

-- Work for bots. A job is free from free_at on: when it is ready, or when its lease has run out.
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
