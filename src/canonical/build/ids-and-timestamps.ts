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
const randomPool: Uint32Array<ArrayBuffer> = new Uint32Array(256)
let randomPoolPosition = randomPool.length

function nextRandomHalf(): number {
  if (randomPoolPosition === randomPool.length) {
    crypto.getRandomValues(randomPool)
    randomPoolPosition = 0
  }
  return (randomPool[randomPoolPosition++] ?? 0) >>> (32 - HALF_BITS)
}

/** The last id: its time, and the halves of its chance. Counting up from it keeps ids of one moment in order. */
let lastTime = 0
let lastHigh = 0
let lastLow = 0

/** All digits of the last id but those of its lower half: ids of one moment mostly share them. */
let lastStem = ''

/**
 * A unique, time-ordered id: the prefix and 24 hexadecimal digits, 12 of time and 12 of chance.
 *
 * @example
 * createId('msg') // 'msg_0190a6f8c2d4a1b2c3d4e5f6'
 */
export function createId(prefix: string, now: () => number = Date.now): string {
  const moment = Math.trunc(now())
  const randomHigh = nextRandomHalf()
  const randomLow = nextRandomHalf()
  if (
    moment > lastTime ||
    (moment === lastTime && (randomHigh > lastHigh || (randomHigh === lastHigh && randomLow > lastLow)))
  )
    setLastId(moment, randomHigh, randomLow)
  else if (lastLow + 1 < HALF) lastLow += 1
  else if (lastHigh + 1 < HALF) setLastId(lastTime, lastHigh + 1, 0)
  else setLastId(lastTime + 1, 0, 0)
  return `${prefix}_${lastStem}${formatHalf(lastLow)}`
}

function setLastId(moment: number, above: number, below: number): void {
  if (moment !== lastTime || above !== lastHigh)
    lastStem = `${moment.toString(16).padStart(12, '0')}${formatHalf(above)}`
  lastTime = moment
  lastHigh = above
  lastLow = below
}

function formatHalf(half: number): string {
  return (HALF + half).toString(16).slice(1)
}

/** A fresh id by the caller's generator, or ours. */
export function generateId(prefix: string, { newId, now }: IdentityOptions): string {
  return newId === undefined ? createId(prefix, now) : newId(prefix)
}

/** The present moment in ISO 8601. */
export function createTimestamp({ now = Date.now }: IdentityOptions): string {
  return new Date(now()).toISOString()
}
