// The Keizer system (specification.md), a second implementation. Standard input has cases, one JSON
// object a line; an answer is written for each: the tables of a season, the boards of a position.
// An amount is a BigInt: a number of parts of a point, D parts to the point. D is chosen for each
// case so that grains (1/6,000,000 point) and all amounts of the case are whole numbers of parts.
// r, q: rounds; i, j: players by registration (in a position: by place); w, v: values by player.
'use strict'
const fail = sentence => { throw new Error(sentence) }
const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a }
const floor = (a, b) => a / b - (a % b !== 0n && a < 0n ? 1n : 0n) // a / b rounded down, b above 0
const over = x => Math.max(0, x)
const total = (list, f) => list.reduce((s, x) => s + f(x), 0n)
const less = (a, b) => a < b ? -1 : a > b ? 1 : 0
const fill = (list, f) => { const a = []; list.forEach((i, k) => { a[i] = f(i, k) }); return a }
const lotOf = (id, s, p = 65519, x = (id % 1e6 * 48271 + s * 16807) % p) => x * x % p * x % p // S1
function fraction(text) { // N1: an exact number as [numerator, denominator]
  const m = /^([+-]?)(\d*)\.?(\d*)(?:\/(\d+))?$/.exec(text)
  if (!m || !(m[2] + m[3]) || /^0+$/.test(m[4])) fail(`"${text}" is no number.`)
  const n = BigInt(m[1] + m[2] + m[3]), d = 10n ** BigInt(m[3].length) * BigInt(m[4] || 1)
  return [n / gcd(n, d), d / gcd(n, d)]
}
function round(n, d, unit, even) { // N1 to N3: n / d as a whole multiple of unit
  const top = 2n * n + d * unit, bottom = 2n * d * unit, k = floor(top, bottom)
  return (even && k % 2n && top % bottom === 0n ? k - 1n : k) * unit
}
// The keys: name, default, and the words that may be set or a type: what is allowed, how it is read
const NUMBER = '[+-]?[\\d.]+(/\\d+)?', HARD = 'hard|soft|off', TIEBREAK =
  '(score|points|previous|start|rating|wins|played|mutual|value-sb|opponents|lot)'
const orNone = (t, R) => t === 'none' ? null : R.parts(t)
const TYPES = { amount: [NUMBER, orNone],
  unit: ['none|(?=.*[1-9])[\\d.]+(/\\d+)?', orNone], fraction: [NUMBER, fraction],
  count: ['none|\\d+', t => t === 'none' ? Infinity : +t], whole: ['\\d+', Number],
  positive: ['0*[1-9]\\d*', Number], kind: ['.+', t => t === 'none' ? null : t.replace(/ /g, '-')] }
const keys = text => Object.fromEntries(text.split(/\s+/).map(row => {
  const [name, first, type] = row.split('='), [allowed, read] = TYPES[type] || [type, t => t]
  return [name, { first, allowed: new RegExp(`^(${allowed})$`), read }]
}))
const KEYS = keys(`value_rounding=none=unit line_rounding=none=unit score_rounding=none=unit
  halves=up=up|even start_order=rating=rating|entry|lot seed=1=whole withdrawn=listed=listed|out
  ladder=top=top|bottom|range|score top_value=1.5(n-1)=.+ bottom_value=1=n/2|${NUMBER} step=1=amount
  places_per_step=1=positive floor_value=1=amount newcomers=last=last|rating rounds=none=count
  own_value_at=current=current|start|new bonus=0=fraction bonus_rounds=0=whole
  tiebreaks=score,previous=${TIEBREAK}(,${TIEBREAK})*
  recalculation=classic=classic|settled|latest|frozen|lagged|fixed rematch_gap=none=count
  settled_from=before=before|start cycle_takes=values=values|scores max_passes=10000=positive
  first_round=adjacent=adjacent|halves|random aim=closest=closest|top-down max_meetings=none=count
  max_meetings_period=none=count bye_at_start=hard=${HARD}
  max_colour_run=2=count colour_run=hard=${HARD} max_colour_difference=2=count
  colour_difference=hard=${HARD} bye_again=hard=${HARD} fewest_byes=soft=${HARD}
  max_group_distance=none=count`)
const OF_KIND = keys(`factor=0=fraction points=0=amount counts_as_game=0=whole fixed=0=amount
  withdrawn_factor=0=fraction season_cap=none=count period_cap=none=count first_rounds=none=count
  last_rounds=none=count counts_with=none=kind instead=none=kind after_game=0=whole
  halving=0=0|1|down`)
const KINDS = { 'own-value': [1, 0, 0], win: [1, 1, 1], draw: ['.5', '.5', 1], loss: [0, 0, 1],
  adjourned: ['.5', '.5', 1], 'forfeit-win': [1, 1, 0], bye: ['2/3', 0, 0], excused: ['1/3', 0, 0],
  'club-duty': ['2/3', 0, 0], aalsmeer: [1, 0, 0] } // F4: factor, points, counts as game (if not 0)
const RESULTS = { '1-0': 'win loss', '0-1': 'loss win', '½-½': 'draw draw', '0-0': 'loss loss',
  '+-': 'forfeit-win forfeit-loss', '-+': 'forfeit-loss forfeit-win', void: '', // F3
  '--': 'double-forfeit double-forfeit', adj: 'adjourned adjourned' }
function readRules(c) { // F4: R.KEY is a rule's text, number or amount; R.kind(name) is a kind
  const set = c.rules || {}, R = { D: 6000000n }, kinds = {}
  for (const [name, text] of Object.entries(set)) {
    const [kind, part = 'factor', more] = name.split('.'), known = KEYS[name] || OF_KIND[part]
    if (!kind || !known || more !== undefined) fail(`There is no rule ${name}.`)
    if (typeof text !== 'string' || !known.allowed.test(text)) fail(`${name} cannot be "${text}".`)
  }
  for (const text of [...Object.values(set), ...(c.corrections || []).map(k => k.points)]) {
    const d = new RegExp(`^(${NUMBER})$`).test(text) ? fraction(text)[1] : 1n
    R.D = R.D / gcd(R.D, d) * d
  }
  R.parts = text => { const [n, d] = fraction(text); return n * R.D / d }
  for (const [k, { first, read }] of Object.entries(KEYS)) R[k] = read(set[k] ?? first, R)
  Object.assign(R, { grain: R.D / 6000000n, even: R.halves === 'even' })
  R.roundLine = (n, d) => round(n, d, R.line_rounding || R.grain, R.line_rounding && R.even)
  R.kind = name => {
    const id = name.replace(/ /g, '-'), kind = { id, name: id.replace(/-/g, ' ') }
    if (Object.hasOwn(kinds, id)) return kinds[id]
    Object.entries(OF_KIND).forEach(([part, { first, read }], k) => {
      kind[part] = read(set[part === 'factor' ? id : `${id}.${part}`] ?? KINDS[id]?.[k] ?? first, R)
    })
    return (kinds[id] = { ...kind, group: kind.counts_with || id })
  }
  return R
}
function topValue(R, n) { // V6: the top value in a list of n players, an amount
  const [, ratio, times, of] = /^(?:ratio (.+)|([^n(]*)(n|\(n-1\)))$/.exec(R.top_value) || []
  if (!ratio && !of) return R.parts(R.top_value)
  const [a, b] = fraction(ratio || times || '1')
  if (ratio && a <= b) fail('The ratio must be above 1.')
  return ratio ? round((n - 1n) * a, a - b, 1n, true) * R.D // Q / (Q - 1) is a / (a - b)
    : floor(a * (of === 'n' ? n : n - 1n), b) * R.D
}
// V1 to V5, V7, R5: the values that an order gives; `having` are the players with lines
function giveValues({ R, tops, firstValue }, order, scores, having) {
  const n = BigInt(order.length), all = having.map(i => scores[i]).sort(less)
  const top = tops[n] ??= topValue(R, n), low = all[0], high = all.at(-1)
  const bottom = R.bottom_value === 'n/2' ? n / 2n * R.D : R.parts(R.bottom_value)
  const between = (part, whole) => round(bottom * whole + (top - bottom) * part, whole, R.grain)
  return fill(order, (i, k) => {
    if (R.recalculation === 'fixed' && firstValue[i] !== undefined) return firstValue[i] // R5
    const p = BigInt(k + 1), steps = x => R.step * (x / BigInt(R.places_per_step))
    let v = R.ladder === 'top' ? top - steps(p - 1n) // V1
      : R.ladder === 'bottom' ? bottom + steps(n - p)
        : R.ladder === 'score' && high > low // V3
          ? having.includes(i) ? between(scores[i] - low, high - low) : bottom
          : n === 1n ? top : between(n - p, n - 1n) // V2
    if (v < R.floor_value) v = R.floor_value // V4
    return R.value_rounding ? round(v, 1n, R.value_rounding, R.even) : v // V5
  })
}
function readFacts(c, R) { // F1 to F3, F5: the facts of a case, checked
  if (!Array.isArray(c.players) || !Array.isArray(c.rounds)) fail('Players or rounds are missing.')
  const index = new Map(c.players.map((p, i) => [String(p.id), i])), { periods = [] } = c
  const find = id => index.get(String(id)) ?? fail(`There is no player ${id}.`)
  const P = c.players.map(p => ({ id: p.id, rating: p.rating ?? -Infinity, games: [], unplayed: [],
    rank: p.start_rank ?? Infinity, first: p.first_round ?? 1, lot: lotOf(p.id, R.seed),
    out: R.withdrawn === 'out' && p.last_round != null })) // L1
  if (index.size < P.length || P.some(p => !Number.isInteger(p.id))) fail('An id is not right.')
  let current = 0 // F2
  c.rounds.forEach(({ games = [], unplayed = {} }, k) => {
    if (!games.length || games.some(g => g[2] != null)) current = k + 1
    for (const [a, b, result] of games) {
      if (find(a) === find(b)) fail(`Player ${a} cannot play against themselves.`)
      const kinds = result == null ? '' : RESULTS[result] ?? fail(`"${result}" is no result.`)
      const [white, black] = kinds.split(' ').map(R.kind)
      if (kinds) P[find(a)].games.push({ q: k + 1, kind: white, opponent: find(b) })
      if (kinds) P[find(b)].games.push({ q: k + 1, kind: black, opponent: find(a) })
    }
    for (const [i, name] of Object.entries(unplayed)) P[find(i)].unplayed.push({ q: k + 1, name })
  })
  for (const e of c.exceptions || []) for (const u of P[find(e.player)].unplayed) {
    if (R.kind(u.name) === R.kind(e.kind)) u.as = e.counts_as
  }
  for (const p of P) p.credited = credit(R, p, periods)
  return { P, current, periods, corrections: (c.corrections || []).map(k => ({ name: 'correction',
    from: k.round, i: find(k.player), last: k.last_round ?? 1 / 0, points: R.parts(k.points) })) }
}
function credit(R, player, periods) { // K1 to K6: unplayed rounds: as what, how often halved
  const period = q => Math.max(0, ...periods.map(p => p.first_round).filter(f => f <= q))
  const before = [], credited = []
  for (const { q, name, as } of player.unplayed) {
    const k = R.kind(as || name)
    before.push({ q, group: k.group })
    const together = before.filter(b => b.group === k.group)
    const forbidden = together.length > k.season_cap || // K1
      together.filter(b => period(b.q) === period(q)).length > k.period_cap || // K2
      q > k.first_rounds || (k.last_rounds < Infinity && q > R.rounds - k.last_rounds) || // K3
      (k.after_game && !player.games.some(g => g.q < q && g.kind.counts_as_game)) // K4
    const own = credited.filter(b => b.own && b.kind.group === k.group).length // K6
    const halved = k.halving === '0' ? 0 : own
    if (!forbidden) credited.push({ q, name, kind: k, own: true, halved })
    else if (k.instead) credited.push({ q, name, kind: R.kind(k.instead), halved: 0 }) // K5
  }
  return credited
}
// C, K6: what a line brings on value v: times × (factor × v + fixed), halved and rounded
function amount(R, { points, kind, factor, times, halved }, v) {
  if (points !== undefined) return points // C8
  const n = times[0] * (factor[0] * v + kind.fixed * factor[1]), d = times[1] * factor[1]
  const power = 1n << BigInt(halved), unit = R.line_rounding || R.grain
  if (!halved || kind.halving === '1') return R.roundLine(n, d * power)
  return floor(R.roundLine(n, d), power * unit) * unit
}
function linesOf(S, { r, c, force }, i) { // C1 to C8, R1 to R3: lines of i, on w(on) or a `value`
  const { R, P } = S, lines = [], counted = x => x.q >= c && x.q <= r, once = [1n, 1n]
  const add = (kind, times, on, more) => lines.push({ name: kind.name, kind, factor: kind.factor,
    times, on, q: null, halved: 0, ...more })
  const s = q => ({ frozen: q, lagged: Math.max(q, r - 1) })[R.recalculation] // R2, R3
  const then = (q, on) => s(q) && { value: S.force.slice(s(q)).find(w => w[on] !== undefined)[on] }
  const [n, d] = R.bonus, left = n - BigInt(over(r - c + 1 - R.bonus_rounds)) * d
  add(R.kind('own value'), once, i, { isNew: R.own_value_at === 'new', // C1, C2
    ...(R.own_value_at === 'start' && { value: S.firstValue[i] }) })
  add(R.kind('aalsmeer'), [left > 0n ? left : 0n, d], i) // C3
  add(R.kind('late start'), [BigInt(over(P[i].first - c)), 1n], i) // C4
  for (const { q, kind, opponent } of P[i].games.filter(counted)) { // C5, C6
    const out = force[opponent] === undefined, on = out ? i : opponent
    const factor = out ? kind.withdrawn_factor : kind.factor
    add(kind, once, on, { q, factor, played: true, ...then(q, on) })
  }
  for (const { q, kind, name, halved } of P[i].credited.filter(counted)) { // C7
    add(kind, once, i, { q, name, halved, played: true, ...then(q, i) })
  }
  return [...lines, ...S.corrections.filter(k => // C8
    k.i === i && k.from <= r && r <= k.last && Math.max(k.from, 1) >= c)]
}
function prepare(S, r) { // L2, V8, P2, P3: what standings r start from: list before, values, lines
  const { R, P } = S, last = S.last, resets = S.periods.filter(p => p.scores === 'reset')
  const x = { r, before: last.order, force: last.values, lines: [], fixed: [],
    newcomers: S.startOrder.filter(i => P[i].first === r + 1 && !P[i].out),
    c: Math.max(1, ...resets.map(p => p.first_round).filter(f => f <= r)) }
  if (r > 1 && resets.some(p => p.first_round === r && p.start === 'rating')) { // P3
    x.before = [...last.order].sort((a, b) => less(P[b].rating, P[a].rating) || P[a].id - P[b].id)
    if (R.recalculation !== 'fixed') x.force = fill(x.before, (i, k) => last.values[last.order[k]])
  }
  S.force[r] = x.force
  x.place = fill(x.before, (i, k) => k)
  const { points } = R.kind('win'), isWin = k => points > 0n && k.points >= points
  const matters = g => g.q >= x.c && g.q <= r && x.force[g.opponent] !== undefined
  for (const i of x.before) { // T1: what does not depend on values
    const kinds = (x.lines[i] = linesOf(S, x, i)).filter(l => l.played).map(l => l.kind)
    x.fixed[i] = { points: total(kinds, k => k.points), wins: kinds.filter(isWin).length,
      played: kinds.filter(k => k.counts_as_game).length, games: P[i].games.filter(matters) }
  }
  return x
}
function rank(S, x, w, scores) { // T1, T2: the players with lines in order
  const sum = f => (i, group) => total(x.fixed[i].games, g => f(g, group)), p = g => g.kind.points
  const real = g => /^(win|draw|loss|adjourned)$/.test(g.kind.id)
  const keys = { score: i => scores[i], previous: i => -x.place[i], start: i => -S.firstPlace[i],
    rating: i => S.P[i].rating, lot: i => -S.P[i].lot, 'value-sb': sum(g => p(g) * w[g.opponent]),
    opponents: sum(g => real(g) ? scores[g.opponent] : 0n),
    mutual: sum((g, group) => group.includes(g.opponent) ? p(g) : 0n) }
  const sort = (group, [name, ...later]) => {
    if (group.length < 2 || !name) return group
    const key = new Map(group.map(i => [i, keys[name] ? keys[name](i, group) : x.fixed[i][name]]))
    const equal = new Map([...key.values()].sort((a, b) => less(b, a)).map(k => [k, []]))
    for (const i of group) equal.get(key.get(i)).push(i)
    return [...equal.values()].flatMap(part => sort(part, later))
  }
  return sort(x.before, [...S.tiebreaks, 'previous'])
}
function withNewcomers({ R, P }, newcomers, others) { // L2 to L4
  const key = fill(others, (i, k) => k), plain = newcomers.filter(i => P[i].rank === Infinity)
  for (const i of plain) key[i] = R.newcomers === 'last' || P[i].rating === -Infinity ? Infinity
    : others.findLastIndex(o => P[o].rating >= P[i].rating) + 0.5 // L3
  const list = [...others, ...plain].sort((a, b) => less(key[a], key[b])), m = list.length
  let place = 0
  newcomers.filter(i => P[i].rank !== Infinity).forEach((i, k) => { // L4
    place = Math.min(Math.max(P[i].rank, place + 1), m + k + 1)
    list.splice(place - 1, 0, i)
  })
  return list
}
function stand(S, x, w, mean) { // C9, C10: standings made with w; I4: `mean` scores are given
  const { R } = S, { score_rounding: unit } = R
  const brings = l => l.isNew ? 0n : amount(R, l, l.value ?? w[l.on])
  const sums = fill(x.before, i => total(x.lines[i], brings))
  const scores = mean || sums.map(s => unit ? round(s, 1n, unit, R.even) : s)
  for (const i of x.newcomers) scores[i] = 0n // L2
  const order = withNewcomers(S, x.newcomers, rank(S, x, w, scores))
  return { order, scores, sums, w, values: giveValues(S, order, scores, x.before) }
}
function iterate(S, x, start, max) { // I2, I3, I5: passes from v(1)
  const most = S.R.cycle_takes === 'scores' ? 2 : Infinity
  const seen = new Map(), v = [null, start], key = w => x.before.map(i => w[i]).join()
  for (let t = 1; ; t++) {
    seen.set(key(v[t]), t)
    const table = stand(S, x, v[t]), found = key(v[t + 1] = table.values), s = seen.get(found)
    const period = t + 1 - s
    if (period <= most) return { passes: t, period, table, found, cycle: v.slice(s, -1) }
    if (s) v[max] = v[s + (max - s) % period] // a cycle that is too long goes on for ever
    if (s || t === max) return { passes: max, period: 0, table: s ? stand(S, x, v[max]) : table }
  }
}
function settle(S, x) { // I1, I4: settled standings
  const { R } = S, having = S.startOrder.filter(i => x.place[i] !== undefined)
  const start = R.settled_from === 'start' ? fill(having, (i, k) => x.force[x.before[k]]) : x.force
  const result = iterate(S, x, start, R.max_passes), { table, period, cycle } = result
  const mean = (rows, unit) => fill(having, i => // I4, N3
    round(total(rows, w => w[i]), BigInt(rows.length), unit, R.even && unit !== R.grain))
  if (period > 1 && R.cycle_takes === 'values') result.table = stand(S, x, mean(cycle, R.grain))
  if (period > 1 && R.cycle_takes === 'scores') {
    const unit = R.score_rounding || R.line_rounding || R.grain
    result.table = stand(S, x, table.w, mean(cycle.map(w => stand(S, x, w).scores), unit))
  }
  return result
}
function season(c) { // all tables; S1, S2, L1, R4, R6 here, the rest above
  const R = readRules(c), facts = readFacts(c, R), { P, current } = facts, tables = []
  const S = { R, ...facts, force: [], firstValue: [], firstPlace: [], tops: {},
    tiebreaks: R.tiebreaks.split(',') }
  if (!S.tiebreaks.some(t => t === 'score' || t === 'points')) S.tiebreaks.unshift('score') // T1
  const by = { rating: i => -P[i].rating, entry: i => i, lot: i => P[i].lot }[R.start_order]
  S.startOrder = P.map((p, i) => i).sort((a, b) => // S1
    less(P[a].rank, P[b].rank) || less(by(a), by(b)) || P[a].id - P[b].id)
  const show = v => { const g = gcd(v, R.D); return `${v / g}` + (g === R.D ? '' : `/${R.D / g}`) }
  for (let r = 0; r <= c.rounds.length; r++) {
    let out = { round: r }, table = { order: S.startOrder.filter(i => P[i].first < 2 && !P[i].out) }
    const tell = f => Object.fromEntries(table.order.map((i, k) => [P[i].id, f(i, k)]))
    if (r === 0) table.values = giveValues(S, table.order, [], []) // S2
    else {
      const x = prepare(S, r), iterated = R.recalculation === 'settled' || // R4, R6
        (R.recalculation === 'latest' && r >= current)
      const made = iterated ? settle(S, x) : { table: stand(S, x, x.force) }
      const { scores, sums, values, w } = table = made.table
      if (iterated) out.settled = { passes: made.passes, period: made.period }
      const brings = l => amount(R, l, l.value ?? (l.isNew ? values : w)[l.on]) // C2
      const lines = fill(table.order, i => x.place[i] === undefined ? [] : [ // L2, C10, I4
        ...x.lines[i].map(l => [l.name, brings(l), l.q]), ['limit', scores[i] - sums[i], null]])
      out = { ...out, scores: tell(i => show(total(lines[i], l => l[1]))),
        lines: tell(i => lines[i].filter(l => l[1]).map(([name, n, q]) => [name, show(n), q])) }
    }
    table.order.forEach((i, k) => { S.firstValue[i] ??= table.values[i]; S.firstPlace[i] ??= k })
    S.last = table
    tables.push({ ...out, ranks: tell((i, k) => k + 1), values: tell(i => show(table.values[i])) })
  }
  return { tables }
}
function position(c) { // B1 to B10: the boards
  const R = readRules(c), { players, games = [], settled = [], bye = null, round: r } = c.position
  const n = players.length, index = new Map(players.map((p, i) => [p.id, i]))
  const seated = [...settled, bye].flat().filter(x => x), { period_start: since = 1 } = c.position
  if (!Number.isInteger(r) || index.size < n || seated.some((id, k) => !index.has(id) ||
    seated.indexOf(id) < k)) fail('The round, players or settled boards are not right.')
  const lot = players.map(p => r === 1 && R.first_round === 'random' ? lotOf(p.id, R.seed) : null)
  const order = players.map((p, i) => i).sort((i, j) => lot[i] === null ? i - j : // B3
    lot[i] - lot[j] || players[i].id - players[j].id), at = fill(order, (i, k) => k)
  const spread = apart => r === 1 && R.first_round === 'halves' ? n - apart : 0 // B7
  const past = players.map(() => []), met = (i, j) => past[i].filter(g => g.other === j)
  for (const [q, ...two] of [...games].sort((x, y) => x[0] - y[0])) for (const k of [0, 1]) {
    past[index.get(two[k])]?.push({ q, other: index.get(two[1 - k]), colour: 1 - 2 * k })
  }
  const colours = (white, black) => { // B4, B8: run and difference (hard, soft), squares, again
    const sides = [[white, 1], [black, -1]].map(([i, colour]) => {
      const had = past[i].map(g => g.colour), m = R.max_colour_run
      const before = had.reduce((s, c) => s + c, 0), now = Math.abs(before + colour)
      return [had.length >= m && had.slice(had.length - m).every(c => c === colour),
        now > R.max_colour_difference && now > Math.abs(before), now * now, had.at(-1) === colour]
    })
    const [run, difference, squares, again] = sides[0].map((x, k) => x + sides[1][k])
    const as = s => [R.colour_run === s ? run : 0, R.colour_difference === s ? difference : 0]
    return [...as('hard'), ...as('soft'), squares, again]
  }
  const isWhite = (i, j) => { // B10: of i against j, who is lower-ranked
    const [x, y] = [colours(i, j), colours(j, i)], k = x.findIndex((c, k) => k < 5 && c !== y[k])
    if (k >= 0) return x[k] < y[k]
    for (let back = 1; ; back++) {
      const [u, v] = [i, j].map(k => past[k].at(-back)?.colour)
      if (u !== v) return u === -1 || v === 1
      if (u === undefined) return met(i, j).at(-1)?.colour === -1
    }
  }
  const topDown = R.aim === 'top-down', choices = (place, number) => // B9
    order.map((_, k) => topDown && k === place ? number : 0)
  const boardCost = (i, j) => { // B4 to B9, in the order in which costs are compared; i has White
    const [p, q] = [players[i], players[j]], before = met(i, j), m = before.length
    const last = before.at(-1)?.q, late = before.filter(g => g.q >= since).length
    const [a, b] = [at[i], at[j]].sort((a, b) => a - b), [hard1, hard2, ...soft] = colours(i, j)
    const third = Math.min(5, Math.floor((n - 1) / 3)), asked = R.rematch_gap
    const gap = m ? over((asked < Infinity ? asked : third) - (r - 1 - last)) : 0
    const meetings = [m && over(m + 1 - R.max_meetings),
      late && over(late + 1 - R.max_meetings_period), gap]
    return [+!!p.prohibited?.some(x => q.prohibited?.includes(x)), 0, 0, 0, ...meetings,
      hard1, hard2, over(Math.abs((p.group || 0) - (q.group || 0)) - R.max_group_distance),
      meetings.some(x => x) ? last : 0, 0, 0, 0, 0, spread(b - a), // B5, B6, then B7 to B9
      ...[(b - a) ** 2, ...soft].map(x => topDown ? 0 : x), ...choices(a, b - a - 1)]
  }
  const forbids = (s, p) => [+(R.bye_at_start === s && !!p.first),
    +(R.bye_again === s && !!p.bye_last_round)]
  const allowed = players.filter(p => !forbids('hard', p).includes(1)), byes = p => p.byes || 0
  const least = Math.min(...(allowed.length ? allowed : players).map(byes))
  const byeCost = (i, p) => { // B4, B6, B9
    const cost = s => [...forbids(s, p), R.fewest_byes === s ? over(byes(p) - least) : 0]
    return [0, ...cost('hard'), 0, 0, 0, 0, 0, 0, 0, ...cost('soft'), n - 1 - i, spread(at[i] + 1),
      0, 0, 0, 0, 0, ...choices(at[i], n - 1 - at[i])]
  }
  // B1, B2: costs become one number, in which each weighs more than all after it. The best for a
  // set of players: a board or the bye for the first of them, and the best for the rest.
  const free = order.filter(i => !seated.includes(players[i].id)), f = free.length
  const best = new Map([[0, { sum: 0n, boards: settled, bye }]])
  if (f > 20 || (bye !== null && f % 2)) fail('This number of players cannot be paired.')
  const options = free.map((i, a) => free.map((j, b) => {
    if (a === b) return { bye: players[i].id, boards: [], cost: byeCost(i, players[i]) }
    const [x, y] = isWhite(Math.min(i, j), Math.max(i, j)) === i < j ? [i, j] : [j, i]
    return { boards: [[players[x].id, players[y].id]], cost: boardCost(x, y) }
  })), all = options.flat()
  let weight = 1n
  for (let k = n + 20; k >= 0; k--) {
    for (const o of all) o.sum = (o.sum || 0n) + BigInt(o.cost[k]) * weight
    weight *= BigInt(f * Math.max(0, ...all.map(o => o.cost[k])) + 1)
  }
  const solve = (set, odd) => {
    const a = 31 - Math.clz32(set & -set), isKnown = best.has(set)
    for (let b = a; !isKnown && b < f; b++) {
      if (!(set >> b & 1) || (a === b && !odd)) continue
      const rest = solve(set & ~(1 << a | 1 << b), odd && a !== b)
      const { sum, boards, bye = rest.bye } = options[a][b], all = sum + rest.sum
      if (best.has(set) && all >= best.get(set).sum) continue
      best.set(set, { sum: all, boards: [...rest.boards, ...boards], bye })
    }
    return best.get(set)
  }
  return { ...solve(2 ** f - 1, f % 2 === 1), sum: undefined }
}
const answerTo = c => c.position ? position(c) : season(c)
for (const line of require('fs').readFileSync(0, 'utf8').split('\n').filter(l => l.trim())) {
  try { console.log(JSON.stringify(answerTo(JSON.parse(line)))) } catch (e) {
    console.log(JSON.stringify({ error: e.message }))
  }
}
