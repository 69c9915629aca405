import { digestText } from '../../wire/digest.ts'
import type { Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import type { IdHint } from '../hints.ts'

/** How a provider wants the ids of calls to be in a request: letters, digits, `_` and `-`, and not too many. */
export interface IdRule {
  readonly longest: number
  /** Whether an id has neither fewer characters, nor any but letters and digits. */
  readonly exact?: true
}

const foreign = /[^a-zA-Z0-9_-]/g
const plain = /^[a-zA-Z0-9]+$/
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Two ids must stay two, also where somebody makes them up to collide. */
const DIGEST = 20

/**
 * The id that a provider takes: the same where it is fit, else its fit characters and a digest of the whole. A pure function
 * of the id, so that a call and its result, and the same call in the next turn, agree without anyone keeping a table.
 */
export function fitId(id: string, rule: IdRule): string {
  if (isFitId(id, rule)) return id
  if (rule.exact) return shortDigest(id, rule.longest)
  const kept = id.replaceAll(foreign, '_').slice(0, Math.min(rule.longest, 64) - DIGEST - 1)
  return `${kept}_${digestText(id).slice(0, DIGEST)}`
}

/** A digest in letters and digits: nine of them hold 53 bits, so that the ids of a conversation stay apart. */
function shortDigest(id: string, length: number): string {
  const base = BigInt(ALPHABET.length)
  let rest = BigInt(`0x${digestText(id)}`)
  let made = ''
  while (made.length < length) {
    made += ALPHABET[Number(rest % base)] ?? ''
    rest /= base
  }
  return made
}

/** Whether an id can go out as it is. */
export function isFitId(id: string, { longest, exact }: IdRule): boolean {
  if (exact) return id.length === longest && plain.test(id)
  return id !== '' && id.length <= longest && id.search(foreign) === -1
}

/** What to remember of an id that a host took although it is not fit. */
export function idHint(id: string, rule: IdRule): Hints<IdHint> {
  return isFitId(id, rule) ? {} : { acceptedId: true }
}

/** The id to write: as it came, or made fit, which is reported. */
export function writeId(
  id: string,
  hints: Hints<IdHint>,
  rule: IdRule,
  at: Path | undefined,
  encoding: Encoding,
): string {
  if (hints['acceptedId'] === true) return id
  const fit = fitId(id, rule)
  if (fit !== id) encoding.lose('id-changed', at)
  return fit
}
