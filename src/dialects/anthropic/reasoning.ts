import { sign } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { signatureHolds } from '../../canonical/read/digest.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { markedThought, omittedReasoning } from '../shared/thoughts.ts'
import { MAKER } from './codes.ts'
import type { Read, Writing } from './parts.ts'

type Wire = { readonly [key: string]: Json }

/** Reads thoughts, shown or hidden. */
export function decodeReasoning(wire: Wire): Read | undefined {
  return wire['type'] === 'thinking' ? readThinking(wire) : readRedacted(wire)
}

/** Thoughts without a signature are odd, but kept: only the hint lets them out again. */
function readThinking({ thinking, signature }: Wire): Read | undefined {
  if (typeof thinking !== 'string') return undefined
  const part: ReasoningPart = { type: 'reasoning', text: thinking }
  if (typeof signature !== 'string' || signature === '') return { part, hints: { missingSignature: true } }
  return { part: sign(part, { vendor: MAKER, value: signature }) }
}

function readRedacted({ data }: Wire): Read | undefined {
  if (typeof data !== 'string') return undefined
  return {
    part: sign<ReasoningPart>(
      { type: 'reasoning', text: '', redacted: true },
      { vendor: MAKER, value: data },
    ),
  }
}

/** Writes thoughts: only what its maker signed, and only as long as the signature holds. */
export function encodeReasoning(
  part: ReasoningPart,
  { hints, at, encoding }: Writing,
): JsonObject | undefined {
  const { text, signature, redacted } = part
  if (signature?.vendor === MAKER && signatureHolds(part)) {
    return redacted
      ? { type: 'redacted_thinking', data: signature.value }
      : { type: 'thinking', thinking: text, signature: signature.value }
  }
  if (signature === undefined && hints['missingSignature'] === true && !redacted)
    return { type: 'thinking', thinking: text }
  if (encoding.options.foreignReasoning === 'text' && text.trim() !== '') {
    encoding.lose('reasoning-as-text', at)
    return { type: 'text', text: markedThought(text) }
  }
  encoding.lose(signature?.vendor === MAKER ? 'stale-signature' : omittedReasoning(text), at)
  return undefined
}
