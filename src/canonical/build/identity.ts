/** Where ids and times come from; inject both to make output repeatable. */
export interface IdentityOptions {
  /** A fresh id; `prefix` says what for (`msg`, `call`). Default: {@link createId}. */
  readonly newId?: (prefix: string) => string
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number
}

const RANDOM_BITS = 48n
const RANDOM_MASK = (1n << RANDOM_BITS) - 1n

/** Chance in stock: asking the system for each id would cost more than all the rest of it. */
const stock: BigUint64Array<ArrayBuffer> = new BigUint64Array(128)
let used = stock.length

function chance(): bigint {
  if (used === stock.length) {
    crypto.getRandomValues(stock)
    used = 0
  }
  return (stock[used++] ?? 0n) & RANDOM_MASK
}

/** The last id as one number: time above, chance below. Counting up from it keeps ids of one moment in order. */
let last = 0n

/**
 * A unique, time-ordered id: the prefix and 24 hexadecimal digits, 12 of time and 12 of chance.
 *
 * @example
 * createId('msg') // 'msg_0190a6f8c2d4a1b2c3d4e5f6'
 */
export function createId(prefix: string, now: () => number = Date.now): string {
  const fresh = (BigInt(Math.trunc(now())) << RANDOM_BITS) | chance()
  last = fresh > last ? fresh : last + 1n
  return `${prefix}_${last.toString(16).padStart(24, '0')}`
}

/** A fresh id by the caller's generator, or ours. */
export function freshId(prefix: string, { newId, now }: IdentityOptions): string {
  return newId === undefined ? createId(prefix, now) : newId(prefix)
}

/** The present moment in ISO 8601. */
export function timestamp({ now = Date.now }: IdentityOptions): string {
  return new Date(now()).toISOString()
}
