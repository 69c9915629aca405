import type { Part, ReasoningPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import { markedThought, omittedReasoning } from '../shared/thoughts.ts'
import { MAKER } from './codes.ts'
import type { Read, Writing } from './parts.ts'
import { carries } from './signatures.ts'

/** Reads thoughts: a text that is marked as such. They need not be signed. */
export function decodeReasoning(text: string): Read {
  return { part: { type: 'reasoning', text } }
}

/** Thoughts go back to where they came from; those of others are set aside. */
export function encodeReasoning(
  part: ReasoningPart,
  { hints, at, encoding, place }: Writing,
): JsonObject | undefined {
  const { text, signature } = part
  // An answer may show thoughts that nobody signed.
  if (place === 'response' && text !== '') return { text, thought: true }
  const isOurs = signature === undefined ? hints['missingSignature'] === true : signature.vendor === MAKER
  if (isOurs && (text !== '' || signature === undefined || carries(part))) return { text, thought: true }
  if (!isOurs && encoding.options.foreignReasoning === 'text' && text.trim() !== '') {
    encoding.lose('reasoning-as-text', at)
    return { text: markedThought(text) }
  }
  encoding.lose(isOurs ? 'stale-signature' : omittedReasoning(text), at)
  return undefined
}

/** The signature of a part that is nothing else: this provider has no hidden thoughts, but its routers tell signatures so. */
export function signatureAlone(part: Part): string | undefined {
  const alone = part.type === 'reasoning' && part.redacted === true && part.text === ''
  return alone && carries(part) ? part.signature?.value : undefined
}
