"""Who comes: the presence list, standing absences, and what holds by default.

What is refused meanwhile stands in test_refusals.py.
"""

from tests.support.scenes import scenes

test_presence = scenes("""
The list is by name, with what is usual.
  add Ève --rating 2200 && absent Daan --by-default && absent Boris --kind 'club duty'
  present => Club, round 1 (not paired yet): 3 present, 1 club duty and 1 excused ... Anna ...
    (present) ... Boris ... club duty ... Clara ... (present) ... Daan ...
    (excused)  excused unless they sign on ... Ève ... (present)

In a Swiss the order of pairing is by score, then by the start order.
  rules system=swiss && next-round
  SELECT name FROM presence ORDER BY pairing_rank => Anna; Boris; Clara; Daan
  result 1 0-1 && result 2 =
  SELECT board, white, black FROM round ORDER BY 1 => 1 1 3; 2 4 2
  SELECT name FROM presence ORDER BY pairing_rank => Clara; Boris; Daan; Anna

Absences so far stand beside their caps.
  rules excused.season_cap=5 excused.period_cap=2 && period 2
  absent Anna --round 1-3 && absent Boris --kind unexcused
  next-round --allow-open && result 1 1-0 && next-round --allow-open && result 1 1-0
  present => excused 2 of 5, 1 of 2 in the period ... Boris ... unexcused 1

Who comes when they say so is absent else, by the kind that was set; saying so is for one round.
  absent Daan --by-default --kind unexcused && present Daan --round 2
  next-round --allow-open && result 1 1-0 && next-round --allow-open && result 1 1-0
  next-round --allow-open && result 1 1-0
  SELECT round_number, kind FROM unplayed WHERE player_id = 4 => 1 unexcused; 3 unexcused
  present Daan --by-default
  SELECT absence FROM presence WHERE name = 'Daan' => None

A list says who is here and the rest is absent, but who gave notice; a name may have a colon.
  add 'E: va' && absent Anna && absent 'E: va'
  present --list - --others unexcused < anna||Daan: club-duty|BORIS =>
    Round 1: 2 present, 1 club duty, 1 excused and 1 unexcused.
  SELECT absence FROM presence ORDER BY name => None; None; unexcused; club duty; excused
  present --list - < E: va|Boris: excused
  SELECT absence FROM presence ORDER BY name => None; excused; unexcused; club duty; None

Absences are of several rounds.
  absent Anna --round 2-4,7 --kind 'club duty'
  SELECT round_number, kind FROM unplayed => 2 club duty; 3 club duty; 4 club duty; 7 club duty
  present Anna --round 3-4
  SELECT round_number, kind FROM unplayed => 2 club duty; 7 club duty

Who signs off from a draft gives up their seat; nothing is published while somebody here has none.
  next-round
  absent Anna => Boris has no seat
  ! publish-round => Boris has no seat
  ! result 2 1-0 => Boris has no seat
  next-round --again --keep all
  SELECT white FROM pairings WHERE result = 'bye' => Boris
  publish-round

Presence is of the draft until it is published.
  absent Anna && next-round
  present => round 1 (a draft): 3 present and 1 excused
  present Anna && next-round --again && publish-round && absent Anna
  SELECT round_number, kind FROM unplayed => 2 excused

A late arrival joins the draft.
  next-round
  add Eva --rating 1000 => plays from round 1
  next-round --again --keep all
  SELECT white FROM pairings WHERE result = 'bye' => Eva

A default that is set while somebody has a seat is for later rounds.
  next-round && absent Anna --by-default
  SELECT absence FROM presence WHERE name = 'Anna' => None
  publish-round && swap Anna Clara --anyway
  SELECT absence FROM presence WHERE name = 'Anna' => excused

A default that is taken back holds for the draft, as another kind does; they have no seat yet.
  absent Anna --by-default && next-round && absent Anna --by-default --kind unexcused
  SELECT kind FROM unplayed WHERE kind <> 'bye' => unexcused
  ! present --by-default => name the players:
  present Anna --by-default => Anna has no seat
""")
