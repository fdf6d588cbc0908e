-- What exports look for: the records that a user has imported, and the reports that they have written.
CREATE INDEX imports_of_user ON imports (user_id, at);
CREATE INDEX reports_of_reporter ON reports (reporter_id, at);

INSERT INTO compatible (number, oldest) VALUES (26, 25);
