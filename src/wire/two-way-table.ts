/** Words of a wire format and ours, written once and read both ways. */
export interface TwoWayTable<Wire extends string, Ours extends string> {
  /** Our word for a wire word; undefined for a word that the table does not know. */
  fromWire(word: unknown): Ours | undefined
  /** The wire word for ours: the first row that has it. */
  toWire(word: Ours): Wire | undefined
}

/**
 * A table from its rows. Several wire words may mean one of ours (and the reverse): the first row decides.
 *
 * @example
 * const stops = twoWayTable([['end_turn', 'stop'], ['stop_sequence', 'stop'], ['max_tokens', 'length']])
 * stops.fromWire('stop_sequence') // 'stop'
 * stops.toWire('stop') // 'end_turn'
 */
export function createTwoWayTable<const Wire extends string, const Ours extends string>(
  rows: readonly (readonly [wire: Wire, ours: Ours])[],
): TwoWayTable<Wire, Ours> {
  const ours = new Map<unknown, Ours>()
  const wire = new Map<Ours, Wire>()
  for (const [theirs, mine] of rows) {
    if (!ours.has(theirs)) ours.set(theirs, mine)
    if (!wire.has(mine)) wire.set(mine, theirs)
  }
  return { fromWire: (word) => ours.get(word), toWire: (word) => wire.get(word) }
}
