CREATE VIEW z_asked (
  -- Insert a step to have done there what only some rules ask for. The triggers that do it are
  -- in the file only where a rule asks (view rule_trigger; in the sources, folder asked/): SQLite
  -- would have to prepare all of them with every result that is entered.

  tournament_id, round_number,
  -- Of the making of a list: 'scores' are known, then their 'order', then 'values'; the 'list'
  -- is made.
  step
) AS
SELECT tournament_id, round_number, 'list' FROM ranking_list WHERE 0;

-- A view without a trigger takes no row.
CREATE TRIGGER z_asked_by_no_rule INSTEAD OF INSERT ON z_asked WHEN 0 BEGIN SELECT 1; END;
