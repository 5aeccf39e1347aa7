CREATE VIEW z_step (
  -- Insert a step of the making of a list to have it done. Only 'made' always does something
  -- (scoring/ranking_updated.sql); other steps where a rule asks (scoring/order.sql, view
  -- on_demand).

  tournament_id, round_number,
  -- A list is 'made': its 'lines' are added up, 'scores' are known, then their 'order', then the
  -- values, with which an 'own value' is added; then the 'list' is there. Of an order: 'tie-break'
  -- lets one decide between players who share a place, 'figures' writes its figures to
  -- tiebreak_value.
  step,
  -- Of an order, the position in it.
  number,
  -- Of a tie-break: as in tiebreak_order and tiebreak.
  name, lower_first, view
) AS
SELECT tournament_id, round_number, 'list', NULL, NULL, NULL, NULL FROM ranking_list WHERE 0;
