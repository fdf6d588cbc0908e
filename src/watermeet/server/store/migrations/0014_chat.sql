-- What people write to each other, at matches and as friends. Rooms keep a bounded number of messages,
-- and messages are deleted after some time.
CREATE TABLE chat (
  room TEXT NOT NULL,
  at BIGINT NOT NULL,
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  seat BIGINT,
  body TEXT NOT NULL,
  PRIMARY KEY (room, at, id)
);
CREATE INDEX chat_of_user ON chat (user_id);
CREATE INDEX chat_by_age ON chat (at);

INSERT INTO compatible (number, oldest) VALUES (14, 13);
