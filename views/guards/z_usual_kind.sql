CREATE VIEW z_usual_kind (
  -- A row per kind of scoring that every tournament has, and what it brings to begin
  -- with: the usual factors of Sevilla's page and its Dutch users.

  -- As in scoring.
  kind, applies_to, factor, points, counts_as_game, counts_as_bye
) AS
VALUES
  ('own value', 'entry', 1, 0, 0, 0),
  ('aalsmeer', 'entry', 1, 0, 0, 0),
  ('win', 'game', 1, 1, 1, 0),
  ('draw', 'game', 0.5, 0.5, 1, 0),
  ('loss', 'game', 0, 0, 1, 0),
  ('adjourned', 'game', 0.5, 0.5, 1, 0),
  ('forfeit win', 'game', 1, 1, 0, 0),
  ('forfeit loss', 'game', 0, 0, 0, 0),
  ('double forfeit', 'game', 0, 0, 0, 0),
  ('bye', 'unplayed', '2/3', 0, 0, 1),
  ('excused', 'unplayed', '1/3', 0, 0, 0),
  ('unexcused', 'unplayed', 0, 0, 0, 0),
  ('club duty', 'unplayed', '2/3', 0, 0, 0),
  ('late start', 'entry', 0, 0, 0, 0);
