import { InterlinguaError } from '../../errors.ts'
import { callCallback, withTypedErrors } from '../../wire/typed-errors.ts'
import { lazy } from '../../wire/memoize.ts'

/** The sources of ids and timestamps. Pass both to make the output repeatable. */
export interface IdentityOptions {
  /** Returns a new id with a prefix such as `msg` or `call`. Default: {@link createId}. */
  readonly newId?: (prefix: string) => string
  /** Returns the milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number
}

/** Half of the random bits of an id: numbers of this size are incremented and formatted fastest. */
const HALF_BITS = 24
const HALF = 1 << HALF_BITS

const HEX_TRIPLES = 1 << (HALF_BITS / 2)

/** All texts of three hexadecimal digits: to format a number takes several times as long as to find its text. */
const getHexTriples = lazy(() =>
  Array.from({ length: HEX_TRIPLES }, (_, index) => index.toString(16).padStart(3, '0')),
)

/** Random values in stock: one system call per id would cost more than the rest of the function. */
const randomPool: Uint32Array<ArrayBuffer> = new Uint32Array(256)
let randomPoolPosition = randomPool.length

function nextRandomHalf(): number {
  if (randomPoolPosition === randomPool.length) {
    crypto.getRandomValues(randomPool)
    randomPoolPosition = 0
  }
  return (randomPool[randomPoolPosition++] ?? 0) >>> (32 - HALF_BITS)
}

/** The last id. Ids of the same millisecond are incremented from it, so they stay in order. */
let lastTime = 0
let lastHigh = 0
let lastLow = 0

/** The digits of the last id without its lower half: most ids of one millisecond share them. */
let lastStem = ''

/**
 * Returns a unique, time-ordered id: the prefix and 24 hexadecimal digits, 12 for the time and 12 random.
 *
 * @example
 * createId('msg') // 'msg_0190a6f8c2d4a1b2c3d4e5f6'
 */
export function createId(prefix: string, now: () => number = Date.now): string {
  return withTypedErrors(() => createIdAt(prefix, readClock(now)), [prefix, now])
}

function createIdAt(prefix: string, moment: number): string {
  if (moment > lastTime) setLastId(moment, nextRandomHalf(), nextRandomHalf())
  else if (lastLow + 1 < HALF) lastLow += 1
  else if (lastHigh + 1 < HALF) setLastId(lastTime, lastHigh + 1, 0)
  else setLastId(lastTime + 1, 0, 0)
  return `${prefix}_${lastStem}${formatHalf(lastLow)}`
}

function setLastId(moment: number, above: number, below: number): void {
  lastStem = `${moment.toString(16).padStart(12, '0')}${formatHalf(above)}`
  lastTime = moment
  lastHigh = above
  lastLow = below
}

function formatHalf(half: number): string {
  const triples = getHexTriples()
  return `${triples[half >>> (HALF_BITS / 2)]}${triples[half & (HEX_TRIPLES - 1)]}`
}

/** Returns a new id of the caller's generator, or of {@link createId}. */
export function generateId(prefix: string, { newId, now }: IdentityOptions): string {
  if (newId !== undefined) return callCallback(() => newId(prefix))
  // The clock of the language needs no check, and a decoder creates an id for each message.
  return now === undefined ? createIdAt(prefix, Date.now()) : createId(prefix, now)
}

/** Returns the current time in ISO 8601. */
export function createTimestamp({ now = Date.now }: IdentityOptions): string {
  return new Date(readClock(now)).toISOString()
}

/** The last moment that ISO 8601 writes with a year of four digits. */
const MAX_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Returns the time of the caller's clock in whole milliseconds. */
function readClock(now: () => number): number {
  const moment = typeof now === 'function' ? Math.trunc(callCallback(now)) : Number.NaN
  if (moment >= 0 && moment <= MAX_TIME_MS) return moment
  throw new InterlinguaError('invalid-value', 'The option `now` returned an invalid time', {
    path: '/now',
    found: 'a number that is no time since 1970, or another value',
    expected: 'milliseconds since 1970, as of Date.now()',
    hint: 'Return the time as Date.now() does, up to the year 9999.',
  })
}
