import { attachSignature } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { createReasoningFallback, type FallbackPart, isShownAsReasoning } from '../engine/content-fallback.ts'
import { DIALECT_VENDOR } from './constants.ts'
import {
  type BlockDecodeContext,
  type BlockEncodeContext,
  type DecodedPart,
  isAnswer,
} from './part-context.ts'

/** Decodes visible or redacted reasoning. Without a signature, only the hint allows it to be encoded again. */
export function decodeReasoning(
  { reasoningText, redactedContent }: JsonObject,
  { vendor }: BlockDecodeContext,
): DecodedPart | undefined {
  const host = vendor === DIALECT_VENDOR ? {} : { hostSignature: true }
  if (typeof redactedContent === 'string') {
    const part: ReasoningPart = { type: 'reasoning', text: '', redacted: true }
    return { part: attachSignature(part, { vendor, value: redactedContent }), hints: host }
  }
  const { text, signature } = isObject(reasoningText) ? reasoningText : {}
  if (typeof text !== 'string') return undefined
  const part: ReasoningPart = { type: 'reasoning', text }
  if (typeof signature !== 'string' || signature === '') return { part, hints: { missingSignature: true } }
  return { part: attachSignature(part, { vendor, value: signature }), hints: host }
}

/**
 * Encodes reasoning with a matching signature. Other reasoning is shown without one in answers; in requests, it becomes text
 * or is omitted, since Claude verifies signatures and other models accept no reasoning.
 */
export function encodeReasoning(
  part: ReasoningPart,
  { hints, path, context, location }: BlockEncodeContext,
): JsonObject | undefined {
  const { text, signature, redacted } = part
  const isOwn = signature?.vendor === DIALECT_VENDOR || hints['hostSignature'] === true
  if (signature !== undefined && isOwn && isSignatureValid(part))
    return wrapReasoning(
      redacted
        ? { redactedContent: signature.value }
        : { reasoningText: { text, signature: signature.value } },
    )
  if (signature === undefined && hints['missingSignature'] === true && !redacted)
    return wrapReasoning({ reasoningText: { text } })
  if (location === 'response' && isShownAsReasoning(part, context)) {
    if (signature !== undefined)
      context.report(isOwn ? 'stale-signature' : 'foreign-signature', child(path, 'signature'))
    if (part.summary) context.report('no-field', child(path, 'summary'))
    return wrapReasoning({ reasoningText: { text } })
  }
  const shown = createReasoningFallback(part, path, context, isOwn ? 'stale-signature' : undefined)
  return shown && { text: shown.text }
}

function wrapReasoning(reasoningContent: JsonObject): JsonObject {
  return { reasoningContent }
}

/** Encodes the part that replaces content which the API does not accept. Only the model's messages contain reasoning. */
export function encodeFallback(
  fallback: FallbackPart | undefined,
  blockContext: BlockEncodeContext,
): JsonObject | undefined {
  if (fallback === undefined) return undefined
  return fallback.type === 'reasoning' && isAnswer(blockContext.location)
    ? encodeReasoning(fallback, { ...blockContext, hints: {} })
    : { text: fallback.text }
}
