-- Roles: player, moderator, administrator. Who is muted or suspended, until when.
ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'player';
ALTER TABLE users ADD COLUMN muted_until BIGINT;
ALTER TABLE users ADD COLUMN suspended_until BIGINT;

-- What a user must be shown once: that they were warned, muted, or are free again.
CREATE TABLE notices (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL,
  act TEXT NOT NULL,
  reason TEXT NOT NULL,
  until BIGINT,
  at BIGINT NOT NULL
);
CREATE INDEX notices_of_user ON notices (user_id, at);

-- All acts of moderators and administrators; rows are only ever added. It has no names.
CREATE TABLE audit_log (
  id TEXT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  actor_id TEXT NOT NULL,
  act TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  body BYTEA NOT NULL
);
CREATE INDEX audit_log_in_order ON audit_log (at, id);
CREATE INDEX audit_log_of_subject ON audit_log (subject_id, at);

INSERT INTO compatible (number, oldest) VALUES (12, 11);
