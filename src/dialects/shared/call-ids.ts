import { digestText } from '../../wire/digest.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { IdHint } from '../engine/hints.ts'

/** How a provider wants the ids of calls to be in a request: letters, digits, `_` and `-`, and not too many. */
export interface CallIdRule {
  readonly maxLength: number
  /** Whether an id has neither fewer characters, nor any but letters and digits. */
  readonly isExactLength?: true
}

const invalidCharacters = /[^a-zA-Z0-9_-]/g
const alphanumericPattern = /^[a-zA-Z0-9]+$/
const DIGEST_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Two ids must stay two, also where somebody makes them up to collide. */
const DIGEST_LENGTH = 20

/**
 * The id that a provider takes: the same where it is fit, else its fit characters and a digest of the whole. A pure function
 * of the id, so that a call and its result, and the same call in the next turn, agree without anyone keeping a table.
 */
export function fitCallId(id: string, rule: CallIdRule): string {
  if (isValidCallId(id, rule)) return id
  if (rule.isExactLength) return createShortDigest(id, rule.maxLength)
  const kept = id
    .replaceAll(invalidCharacters, '_')
    .slice(0, Math.min(rule.maxLength, 64) - DIGEST_LENGTH - 1)
  return `${kept}_${digestText(id).slice(0, DIGEST_LENGTH)}`
}

/** A digest in letters and digits: nine of them hold 53 bits, so that the ids of a conversation stay apart. */
function createShortDigest(id: string, length: number): string {
  const base = BigInt(DIGEST_ALPHABET.length)
  let rest = BigInt(`0x${digestText(id)}`)
  let made = ''
  while (made.length < length) {
    made += DIGEST_ALPHABET[Number(rest % base)] ?? ''
    rest /= base
  }
  return made
}

/** Whether an id can go out as it is. */
export function isValidCallId(id: string, { maxLength, isExactLength }: CallIdRule): boolean {
  if (isExactLength) return id.length === maxLength && alphanumericPattern.test(id)
  return id !== '' && id.length <= maxLength && id.search(invalidCharacters) === -1
}

/** What to remember of an id that a host took although it is not fit. */
export function createCallIdHint(id: string, rule: CallIdRule): Hints<IdHint> {
  return isValidCallId(id, rule) ? {} : { acceptedId: true }
}

/** The id to write: as it came, or made fit, which is reported. */
export function encodeCallId(
  id: string,
  hints: Hints<IdHint>,
  rule: CallIdRule,
  path: Path | undefined,
  context: EncodeContext,
): string {
  if (hints['acceptedId'] === true) return id
  const fit = fitCallId(id, rule)
  if (fit !== id) context.report('id-changed', path)
  return fit
}

/** Makes ids for calls that came without one. */
export interface CallIdGenerator {
  /** The id of the next call: a digest of the call and of all calls before it, so decoding again gives it again. */
  next(name: string, argumentsText: string): string
  /** Takes note of a call that has an id of its own. */
  noteId(id: string): void
}

/** Ids for one conversation. The position alone would not do: a changed history must change the ids after it. */
export function createCallIdGenerator(): CallIdGenerator {
  let chain = ''
  // They are digested when a call without an id comes: most conversations have none.
  let seen: string[] = []
  return {
    next(name, argumentsText) {
      for (const id of seen) chain = digestText(JSON.stringify([chain, id]))
      seen = []
      chain = digestText(JSON.stringify([chain, name, argumentsText]))
      return `call_${chain.slice(0, 24)}`
    },
    noteId(id) {
      seen.push(id)
    },
  }
}
