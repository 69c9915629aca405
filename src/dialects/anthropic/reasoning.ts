import { attachSignature } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import type { JsonObject } from '../../wire/json.ts'
import { wrapReasoningText, getOmittedReasoningRule } from '../engine/text-fallback.ts'
import { DIALECT_VENDOR } from './constants.ts'
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

/** Encodes reasoning with a matching signature of Anthropic; other reasoning becomes text or is omitted. */
export function encodeReasoning(
  part: ReasoningPart,
  { hints, path, context }: BlockEncodeContext,
): JsonObject | undefined {
  const { text, signature, redacted } = part
  const isOwn = signature?.vendor === DIALECT_VENDOR
  if (isOwn && isSignatureValid(part))
    return redacted
      ? { type: 'redacted_thinking', data: signature.value }
      : { type: 'thinking', thinking: text, signature: signature.value }
  if (signature === undefined && hints['missingSignature'] === true && !redacted)
    return { type: 'thinking', thinking: text }
  if (context.options.foreignReasoning === 'text' && text.trim() !== '') {
    context.report('reasoning-as-text', path)
    return { type: 'text', text: wrapReasoningText(text) }
  }
  context.report(isOwn ? 'stale-signature' : getOmittedReasoningRule(text), path)
  return undefined
}
