-- Which older versions run on a newer schema: those that know migrations up to "oldest" run on a
-- database that has migration "number". A migration says so itself; one that doesn't keeps older
-- versions from starting. CONTRIBUTING.md has the rules.
CREATE TABLE compatible (
  number BIGINT NOT NULL PRIMARY KEY,
  oldest BIGINT NOT NULL
);
