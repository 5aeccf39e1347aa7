CREATE VIEW z_step (
  -- Insert a step of the making of a list to have it done. Only 'made' always does something
  -- (scoring/ranking_updated.sql). What some rules ask for besides is done by triggers that are
  -- in the file only where a rule asks (view on_demand; in the sources, folder asked/): SQLite
  -- would have to prepare all of them with every result that is entered.

  tournament_id, round_number,
  -- A list is 'made': 'scores' are known, then their 'order', then 'values'; then the 'list' is
  -- there. Of an order: 'tie-break' lets one decide between players who share a place, 'figures'
  -- writes its figures to tiebreak_value, 'direct encounter' separates who has equal ones. Of
  -- settling: 'settle' a list, 'hundred passes', a 'pass', and 'mean' adds up scores.
  step,
  -- Of an order, the position in it; of settling, the passes before, or still to be made.
  number,
  -- Of a tie-break: as in tiebreak_order and tiebreak.
  name, lower_first, view,
  -- Of a direct encounter, the pass.
  pass
) AS
SELECT tournament_id, round_number, 'list', NULL, NULL, NULL, NULL, NULL FROM ranking_list WHERE 0;
