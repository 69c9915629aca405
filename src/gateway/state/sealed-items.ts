import type { ReasoningPart, Signature } from '../../canonical/model/part.ts'
import { attachSignature } from '../../canonical/build/parts.ts'
import { decodeReasoning } from '../../dialects/openai-chat/reasoning.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { isObject, type Json } from '../../wire/json.ts'

/** Where the clients of a format send something back unchanged. */
export interface RoundTripField {
  /** The vendor whose signatures the format contains anyway. */
  readonly vendor: string
  /**
   * `signature`: the signature of reasoning, or hidden reasoning after a call. `item`: hidden reasoning after reasoning or a call.
   * `call`: the signature of a call, which contains the reasoning before it, too. `detail`: hidden reasoning after a call, with its
   * id, which contains the reasoning before it, too.
   */
  readonly place: 'signature' | 'item' | 'call' | 'detail'
}

/**
 * The carriers by dialect. Clients of other dialects drop everything that they do not know: for them, the gateway remembers calls.
 * Facts: clients of Anthropic replay thinking with its signature and turn unsigned thinking into text; those of Responses
 * replay `encrypted_content`; those of Gemini replay `thoughtSignature` of calls only; some of Chat Completions replay
 * `reasoning_details`.
 */
export const ROUND_TRIP_FIELDS: { readonly [dialect: string]: RoundTripField } = {
  anthropic: { vendor: 'anthropic', place: 'signature' },
  gemini: { vendor: 'google', place: 'call' },
  'gemini-interactions': { vendor: 'google-interactions', place: 'signature' },
  'openai-chat': { vendor: 'unknown', place: 'detail' },
  'openai-responses': { vendor: 'openai', place: 'item' },
}

/** Creates hidden reasoning that carries a sealed text. */
export function createSealedPart(
  { vendor, place }: RoundTripField,
  sealed: string,
  callId: string | undefined,
): ReasoningPart {
  if (place !== 'detail')
    return attachSignature({ type: 'reasoning', text: '', redacted: true }, { vendor, value: sealed })
  const detail = { type: 'reasoning.encrypted', data: sealed, ...(callId !== undefined && { id: callId }) }
  const [part] = decodeReasoning({ reasoning_details: [detail] })
  return part ?? { type: 'reasoning', text: '' }
}

/**
 * What the provider of an answer wants back with it and the format of the client cannot contain: a reasoning part as a whole,
 * because clients drop or change its text, or the signature of a call.
 */
export type SealedItem =
  | { readonly type: 'reasoning'; readonly part: ReasoningPart }
  | { readonly type: 'call'; readonly id: string; readonly signature: Signature }

/** Reads items that were sealed; what is not one is omitted. */
export function readSealedItems(value: Json | undefined): readonly SealedItem[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: Json): readonly SealedItem[] => {
    if (!isObject(item)) return []
    const { type, part, id, signature } = item
    if (type === 'reasoning' && isObject(part))
      return [{ type, part: checkAndFreezePart(part as unknown as ReasoningPart) }]
    if (type === 'call' && typeof id === 'string' && isObject(signature))
      return [{ type, id, signature: signature as unknown as Signature }]
    return []
  })
}
