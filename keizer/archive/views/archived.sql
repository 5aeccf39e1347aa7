CREATE TABLE archived (
  -- A row per club file in this archive. Every id, of players, tournaments and so
  -- on, is that in the club's file and 1,000,000 times the number of the file.

  -- The number of the file, kept for good: that of a player is player.id / 1000000.
  id INTEGER PRIMARY KEY,
  -- Where the file was, from the folder that was archived, with / between folders.
  path TEXT NOT NULL UNIQUE,
  -- Its folder; of a file that lies in none of its own, its name without .db.
  club TEXT NOT NULL,
  -- Of the file as it was archived, hexadecimal.
  sha256 TEXT NOT NULL
);

CREATE INDEX files_of_a_club ON archived (club);
