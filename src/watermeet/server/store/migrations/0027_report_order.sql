-- Reports by people with an account come before those of guests, who cost nothing.
ALTER TABLE reports ADD COLUMN is_by_account BOOLEAN NOT NULL DEFAULT TRUE;
DROP INDEX reports_by_decision;
CREATE INDEX reports_in_order ON reports (is_by_account, at, id) WHERE decision = '';

INSERT INTO compatible (number, oldest) VALUES (27, 26);
