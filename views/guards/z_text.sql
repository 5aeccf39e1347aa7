CREATE VIEW z_text (
  -- Insert a text that somebody wrote to have it refused with a sentence if it can
  -- mislead those who read it, or their programs. NULL is accepted.
  --
  -- Refused are bytes that are no UTF-8; characters that control, are invisible, break a
  -- line or turn the direction of what follows; double spaces in names; too many
  -- characters; and what a spreadsheet takes for a formula, which is = + - @ in front,
  -- or behind a comma or semicolon, where CSV is taken apart anew.

  -- As it was written.
  text,
  -- How many characters it may have.
  longest
) AS
SELECT name, 200 FROM player WHERE 0;

CREATE TRIGGER z_text_guarded INSTEAD OF INSERT ON z_text
WHEN typeof(NEW.text) <> 'null' AND (typeof(NEW.text) <> 'text' OR length(NEW.text) > NEW.longest
  -- length() and GLOB stop at a NUL.
  OR instr(NEW.text, char(0))
  OR (NEW.longest <= 200 AND ' ' || NEW.text || ' ' GLOB '*  *')
  OR ',' || NEW.text GLOB '*[,;][=+@＝＋－＠-]?*'
  OR NEW.text GLOB '*[' || char(1, 45, 31, 127, 45, 159, 173, 1564, 4447, 4448, 6068, 6069,
    6158, 8203, 45, 8207, 8232, 45, 8238, 8288, 45, 8303, 10240, 12644, 65279, 65440,
    65529, 45, 65531, 917504, 45, 917631) || ']*'
  -- What SQLite reads in bytes that are no UTF-8 is written otherwise.
  OR (NEW.text GLOB '*[^ -~]*' AND EXISTS (
    WITH RECURSIVE letter (number) AS (
      SELECT 1 UNION ALL SELECT number + 1 FROM letter WHERE number < length(NEW.text)
    )
    SELECT 1 FROM letter
    WHERE char(unicode(substr(NEW.text, number, 1))) <> substr(NEW.text, number, 1))))
BEGIN
  SELECT RAISE(ABORT, 'a text like this is not empty (NULL for none) and has up to 200 characters in UTF-8: no control characters or invisible ones, no double spaces, and no = + - @ in front, which a spreadsheet takes for a formula');
END;
