-- Ratings and deviations are in hundredths. A puzzle without a row has the rating of its file.
CREATE TABLE puzzles (
  id TEXT NOT NULL PRIMARY KEY,
  rating BIGINT NOT NULL,
  deviation BIGINT NOT NULL,
  solved BIGINT NOT NULL,
  failed BIGINT NOT NULL
);

-- How somebody did in a puzzle at the first try, which alone counts, and their rating after it.
CREATE TABLE puzzle_results (
  user_id TEXT NOT NULL,
  game TEXT NOT NULL,
  puzzle_id TEXT NOT NULL,
  is_solved BOOLEAN NOT NULL,
  rating BIGINT NOT NULL,
  deviation BIGINT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (user_id, puzzle_id)
);
CREATE INDEX puzzle_results_of_user ON puzzle_results (user_id, game, at);
