/** Returns numbers from 0 to 1; the same seed gives the same numbers (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export type Random = ReturnType<typeof createRandom>

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T
}

/** Values that decoders do not expect. */
const ODD_VALUES: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1e308,
  () => Number.MAX_SAFE_INTEGER + 2,
  () => '',
  () => '\uD800',
  () => '__proto__',
  () => '{"a":',
  () => 'data:image/png;base64,AA',
  () => 'x'.repeat(10_000),
  () => [],
  () => [null],
  () => [[]],
  () => ({}),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{}}') as unknown,
  () => nest(300),
  () => ({ type: 'text', text: 1 }),
  () => ({ role: 'assistant', content: [{ type: 'tool_use' }] }),
]

function nest(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

interface Place {
  readonly parent: object
  readonly key: string
}

function listPlaces(value: unknown, places: Place[] = [], depth = 0): Place[] {
  if (typeof value !== 'object' || value === null || depth > 40) return places
  for (const [key, inner] of Object.entries(value)) {
    places.push({ parent: value, key })
    listPlaces(inner, places, depth + 1)
  }
  return places
}

const read = ({ parent, key }: Place): unknown => Reflect.get(parent, key)

function write({ parent, key }: Place, value: unknown): void {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Changes of a value at a place; `other` is a place of a second value, whose parts are transplanted. */
const CHANGES: readonly ((random: Random, place: Place, other: Place) => void)[] = [
  (_random, { parent, key }) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1)
    else Reflect.deleteProperty(parent, key)
  },
  (random, place) => write(place, pick(random, ODD_VALUES)()),
  (random, place) => write(place, pick(random, ODD_VALUES)()),
  (_random, place, other) => write(place, structuredClone(read(other))),
  (_random, place, other) =>
    write({ parent: place.parent, key: Array.isArray(place.parent) ? place.key : other.key }, read(place)),
  (_random, { parent, key }) => {
    if (Array.isArray(parent)) parent.push(structuredClone(parent[Number(key)]))
  },
  (_random, { parent }) => {
    if (Array.isArray(parent)) parent.reverse()
  },
  (random, place) => {
    const value = read(place)
    if (typeof value === 'string') write(place, value.slice(0, Math.floor(random() * value.length)))
    else if (typeof value === 'number') write(place, String(value))
    else write(place, JSON.stringify(value) ?? '')
  },
]

/** Returns a copy of a value with one to four changes. */
export function mutateJson(random: Random, value: unknown, second: unknown): unknown {
  const copy = structuredClone(value)
  const others = listPlaces(second)
  for (let left = 1 + Math.floor(random() * 4); left > 0; left--) {
    const places = listPlaces(copy)
    if (places.length === 0) return pick(random, ODD_VALUES)()
    pick(random, CHANGES)(random, pick(random, places), pick(random, others.length > 0 ? others : places))
  }
  return copy
}

/** Returns the payloads of a stream with changes inside of them and in their order. */
export function mutatePayloads(random: Random, payloads: readonly unknown[], second: unknown): unknown[] {
  const list = structuredClone([...payloads])
  for (let left = 1 + Math.floor(random() * 3); left > 0 && list.length > 0; left--) {
    const at = Math.floor(random() * list.length)
    const how = Math.floor(random() * 6)
    if (how === 0) list.splice(at, 1)
    else if (how === 1) list.splice(at, 0, structuredClone(list[at]))
    else if (how === 2) list.splice(at, 0, ...list.splice(Math.floor(random() * list.length), 1))
    else list[at] = mutateJson(random, list[at], second)
  }
  return list
}

/** Returns bytes of a text, cut, changed or repeated at random, in chunks of random sizes. */
export function mutateBytes(random: Random, text: string): readonly Uint8Array[] {
  let bytes = new TextEncoder().encode(text)
  const how = Math.floor(random() * 4)
  if (how === 0) bytes = bytes.slice(0, Math.floor(random() * bytes.length))
  if (how === 1 && bytes.length > 0) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
  const chunks: Uint8Array[] = []
  for (let start = 0; start < bytes.length;) {
    const end = start + 1 + Math.floor(random() * (how === 2 ? 7 : 4000))
    chunks.push(bytes.subarray(start, end))
    start = end
  }
  return chunks
}
