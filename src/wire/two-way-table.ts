/** Maps names of a wire format to canonical names and back. */
export interface TwoWayTable<Wire extends string, Canonical extends string> {
  /** Returns the canonical name of a wire name; undefined for an unknown one. */
  fromWire(name: unknown): Canonical | undefined
  /** Returns the wire name of a canonical name, from the first row that contains it. */
  toWire(name: Canonical): Wire | undefined
}

/**
 * Creates a table from its rows. If several rows contain the same name, the first one is used.
 *
 * @example
 * const finishReasons = createTwoWayTable([['end_turn', 'stop'], ['stop_sequence', 'stop'], ['max_tokens', 'length']])
 * finishReasons.fromWire('stop_sequence') // 'stop'
 * finishReasons.toWire('stop') // 'end_turn'
 */
export function createTwoWayTable<const Wire extends string, const Canonical extends string>(
  rows: readonly (readonly [wireName: Wire, canonicalName: Canonical])[],
): TwoWayTable<Wire, Canonical> {
  const canonicalNames = new Map<unknown, Canonical>()
  const wireNames = new Map<Canonical, Wire>()
  for (const [wireName, canonicalName] of rows) {
    if (!canonicalNames.has(wireName)) canonicalNames.set(wireName, canonicalName)
    if (!wireNames.has(canonicalName)) wireNames.set(canonicalName, wireName)
  }
  return { fromWire: (name) => canonicalNames.get(name), toWire: (name) => wireNames.get(name) }
}
