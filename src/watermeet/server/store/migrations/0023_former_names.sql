-- A former name is kept for whoever had it, until a time. Names of deleted users have neither.
ALTER TABLE retired_names ADD COLUMN user_id TEXT;
ALTER TABLE retired_names ADD COLUMN until BIGINT;
CREATE INDEX retired_names_of_user ON retired_names (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX retired_names_by_end ON retired_names (until) WHERE until IS NOT NULL;

INSERT INTO compatible (number, oldest) VALUES (23, 22);
