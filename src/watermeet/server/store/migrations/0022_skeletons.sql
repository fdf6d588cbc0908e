-- Spaces and punctuation count no longer in what names look like: all skeletons are computed again, see
-- Store.fill_skeletons.
UPDATE users SET name_skeleton = NULL WHERE name_skeleton IS NOT NULL;

INSERT INTO compatible (number, oldest) VALUES (22, 21);
