import { attachSignature } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { createReasoningFallback, type FallbackPart, isShownAsReasoning } from '../engine/content-fallback.ts'
import { isMarkedForeign } from '../engine/reasoning-filter.ts'
import { DIALECT_VENDOR } from './constants.ts'
import { getFlavor } from './flavors.ts'
import type { DecodedPart, BlockEncodeContext } from './part-context.ts'

/** Decodes visible or redacted reasoning. Without a signature, only the hint allows it to be encoded again. */
export function decodeReasoning({ type, thinking, signature, data }: JsonObject): DecodedPart | undefined {
  const isRedacted = type === 'redacted_thinking'
  const text = isRedacted ? '' : thinking
  const value = isRedacted ? data : signature
  if (typeof text !== 'string' || (isRedacted && typeof value !== 'string')) return undefined
  const part: ReasoningPart = { type: 'reasoning', text, ...(isRedacted && { redacted: true }) }
  if (typeof value !== 'string' || (value === '' && !isRedacted))
    return { part, hints: { missingSignature: true } }
  return { part: attachSignature(part, { vendor: DIALECT_VENDOR, value }) }
}

/**
 * Encodes reasoning with a matching signature of Anthropic. Other reasoning becomes a block with the caller's signature in
 * answers; in requests, it becomes text or is omitted, since the API verifies signatures.
 */
export function encodeReasoning(
  part: ReasoningPart,
  { hints, path, context, location }: BlockEncodeContext,
): JsonObject | undefined {
  const { text, signature, redacted } = part
  const isOwn = signature?.vendor === DIALECT_VENDOR
  if (isOwn && isSignatureValid(part))
    return redacted
      ? { type: 'redacted_thinking', data: signature.value }
      : { type: 'thinking', thinking: text, signature: signature.value }
  const isUnsignedAllowed =
    hints['missingSignature'] === true || isSentUnsigned(part, getFlavor(context.options).isCompatibleHost)
  if (signature === undefined && isUnsignedAllowed && !redacted) return { type: 'thinking', thinking: text }
  if (location === 'response' && isShownAsReasoning(part, context)) {
    if (signature !== undefined)
      context.report(isOwn ? 'stale-signature' : 'foreign-signature', child(path, 'signature'))
    if (part.summary) context.report('no-field', child(path, 'summary'))
    context.report('reasoning-signature', path)
    const { reasoningSignature: given = '' } = context.options
    return { type: 'thinking', thinking: text, signature: typeof given === 'string' ? given : given(part) }
  }
  const shown = createReasoningFallback(part, path, context, isOwn ? 'stale-signature' : undefined)
  return shown && { type: 'text', text: shown.text }
}

/** Returns true for reasoning that a host accepts without a signature, since it verifies none. */
function isSentUnsigned(part: ReasoningPart, isCompatibleHost: boolean | undefined): boolean {
  return isCompatibleHost === true && part.text !== '' && !isMarkedForeign(part)
}

/** Encodes the part that replaces content which the API does not accept. Only the model's messages contain reasoning. */
export function encodeFallback(
  fallback: FallbackPart | undefined,
  blockContext: BlockEncodeContext,
): JsonObject | undefined {
  if (fallback === undefined) return undefined
  const { location } = blockContext
  return fallback.type === 'reasoning' && (location === 'response' || location === 'assistant')
    ? encodeReasoning(fallback, { ...blockContext, hints: {} })
    : { type: 'text', text: fallback.text }
}
