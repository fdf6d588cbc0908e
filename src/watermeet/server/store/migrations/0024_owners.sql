-- Whose bot it is: it stops with its owner.
ALTER TABLE users ADD COLUMN owner_id TEXT;
CREATE INDEX users_of_owner ON users (owner_id) WHERE owner_id IS NOT NULL;

INSERT INTO compatible (number, oldest) VALUES (24, 23);
