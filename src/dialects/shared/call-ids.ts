import { digestText } from '../../wire/digest.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { memoizeText } from '../../wire/memoize.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { CallIdHint, EngineHint } from '../engine/residue-hints.ts'

/** The rule of a provider for call ids: letters, digits, `_` and `-`, up to a length. */
export interface CallIdRule {
  readonly maxLength: number
  /** Requires exactly `maxLength` characters, letters and digits only: 16 at most. */
  readonly isExactLength?: true
}

const invalidCharacters = /[^a-zA-Z0-9_-]/g
const alphanumericPattern = /^[a-zA-Z0-9]+$/
const DIGEST_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Long enough that ids cannot collide, even if they are chosen for it. */
const DIGEST_LENGTH = 20

/**
 * Returns an id that the provider accepts. A pure function of the id, so that a call, its result and the same
 * call in the next turn get the same id without a table.
 */
export function fitCallId(id: string, rule: CallIdRule): string {
  if (isValidCallId(id, rule)) return id
  if (rule.isExactLength) return createLetterDigest(id).slice(0, rule.maxLength)
  const prefixLength = Math.min(rule.maxLength, 64) - DIGEST_LENGTH - 1
  const prefix = id.replaceAll(invalidCharacters, '_').slice(0, prefixLength)
  return `${prefix}_${digestText(id).slice(0, DIGEST_LENGTH)}`
}

/** The characters of a digest that are computed at once: as many as an exact number can express. */
const CHARACTERS_AT_ONCE = 8
const DIVISOR = BigInt(DIGEST_ALPHABET.length) ** BigInt(CHARACTERS_AT_ONCE)

/**
 * Returns a digest of letters and digits; the first nine characters contain 53 bits, enough for one conversation. The ids of a
 * conversation are sent again with every turn.
 */
const createLetterDigest = memoizeText((id) => {
  let rest = BigInt(`0x${digestText(id)}`)
  let digest = ''
  for (let taken = 0; taken < 2; taken++) {
    let characters = Number(rest % DIVISOR)
    for (let index = 0; index < CHARACTERS_AT_ONCE; index++) {
      digest += DIGEST_ALPHABET[characters % DIGEST_ALPHABET.length] ?? ''
      characters = Math.floor(characters / DIGEST_ALPHABET.length)
    }
    rest /= DIVISOR
  }
  return digest
})

/** Returns true if an id obeys the rule of a dialect for ids of calls. */
export function isValidCallId(id: string, { maxLength, isExactLength }: CallIdRule): boolean {
  if (isExactLength) return id.length === maxLength && alphanumericPattern.test(id)
  return id !== '' && id.length <= maxLength && id.search(invalidCharacters) === -1
}

/** Returns the hint for an id that a host accepted although it breaks the rule. */
export function createCallIdHint(id: string, rule: CallIdRule): Hints<CallIdHint> {
  return isValidCallId(id, rule) ? {} : { acceptedId: true }
}

/** Returns the id of a call to send: as received, or changed to fit the rule, which is reported. */
export function encodeCallId(
  id: string,
  hints: Hints<CallIdHint>,
  rule: CallIdRule,
  path: Path | undefined,
  context: EncodeContext,
): string {
  if (hints['acceptedId'] === true) return id
  const fit = fitCallId(id, rule)
  if (fit !== id) context.report('id-changed', path)
  return fit
}

/**
 * Returns the call id of a result to send. It changes with the id of the call before it, where the change is reported; only a
 * result that was received without its call reports it itself.
 */
export function encodeAnsweredId(
  id: string,
  hints: Hints<CallIdHint | EngineHint>,
  rule: CallIdRule,
  path: Path | undefined,
  context: EncodeContext,
): string {
  return encodeCallId(id, hints, rule, path, hints['preserveInvalid'] === true ? context : noReport)
}

/** Generates ids for received calls that have none. */
export interface CallIdGenerator {
  next(name: string, argumentsText: string): string
  /** Records a call that has an id of its own. */
  recordId(id: string): void
}

/**
 * Creates a generator for one conversation. An id is a digest of the call and of all earlier calls: decoding
 * again returns the same id, and a change in the history changes the ids after it.
 */
export function createCallIdGenerator(): CallIdGenerator {
  let chain = ''
  // Digested only when a call without an id follows: most conversations have none.
  let pendingIds: string[] = []
  return {
    next(name, argumentsText) {
      for (const id of pendingIds) chain = digestText(JSON.stringify([chain, id]))
      pendingIds = []
      chain = digestText(JSON.stringify([chain, name, argumentsText]))
      return `call_${chain.slice(0, 24)}`
    },
    recordId(id) {
      pendingIds.push(id)
    },
  }
}
