/** Where ids and times come from; inject both to make output repeatable. */
export interface IdentityOptions {
  /** A fresh id; `prefix` says what for (`msg`, `call`). Default: {@link createId}. */
  readonly newId?: (prefix: string) => string
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number
}

/** Half of an id's chance: small numbers are counted and written much faster than one of 96 bits. */
const HALF_BITS = 24
const HALF = 1 << HALF_BITS

/** Chance in stock: asking the system for each id would cost more than all the rest of it. */
const stock: Uint32Array<ArrayBuffer> = new Uint32Array(256)
let used = stock.length

function chance(): number {
  if (used === stock.length) {
    crypto.getRandomValues(stock)
    used = 0
  }
  return (stock[used++] ?? 0) >>> (32 - HALF_BITS)
}

/** The last id: its time, and the halves of its chance. Counting up from it keeps ids of one moment in order. */
let last = { time: 0, high: 0, low: 0 }

/** All digits of the last id but those of its lower half, which ids of one moment mostly share. */
let stem = ''

/**
 * A unique, time-ordered id: the prefix and 24 hexadecimal digits, 12 of time and 12 of chance.
 *
 * @example
 * createId('msg') // 'msg_0190a6f8c2d4a1b2c3d4e5f6'
 */
export function createId(prefix: string, now: () => number = Date.now): string {
  const fresh = later(Math.trunc(now()), chance(), chance())
  if (stem === '' || fresh.time !== last.time || fresh.high !== last.high)
    stem = `${fresh.time.toString(16).padStart(12, '0')}${halfText(fresh.high)}`
  last = fresh
  return `${prefix}_${stem}${halfText(fresh.low)}`
}

/** What was drawn where it comes after the last id, else the one next to that. */
function later(time: number, high: number, low: number): typeof last {
  if (time > last.time) return { time, high, low }
  const isAfter = high > last.high || (high === last.high && low > last.low)
  if (time === last.time && isAfter) return { time, high, low }
  if (last.low + 1 < HALF) return { time: last.time, high: last.high, low: last.low + 1 }
  if (last.high + 1 < HALF) return { time: last.time, high: last.high + 1, low: 0 }
  return { time: last.time + 1, high: 0, low: 0 }
}

function halfText(half: number): string {
  return (HALF + half).toString(16).slice(1)
}

/** A fresh id by the caller's generator, or ours. */
export function freshId(prefix: string, { newId, now }: IdentityOptions): string {
  return newId === undefined ? createId(prefix, now) : newId(prefix)
}

/** The present moment in ISO 8601. */
export function timestamp({ now = Date.now }: IdentityOptions): string {
  return new Date(now()).toISOString()
}
