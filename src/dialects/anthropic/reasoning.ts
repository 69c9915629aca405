import { attachSignature } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import type { JsonObject } from '../../wire/json.ts'
import { wrapReasoningText, getOmittedReasoningRule } from '../engine/text-fallback.ts'
import { SIGNATURE_VENDOR } from './constants.ts'
import type { DecodedPart, BlockEncodeContext } from './part-context.ts'

/** Decodes visible or redacted reasoning. */
export function decodeReasoning(wire: JsonObject): DecodedPart | undefined {
  return wire['type'] === 'thinking' ? readThinking(wire) : readRedacted(wire)
}

/**
 * Decodes visible reasoning. Reasoning without a signature gets a hint, since only that allows it to be
 * encoded again.
 */
function readThinking({ thinking, signature }: JsonObject): DecodedPart | undefined {
  if (typeof thinking !== 'string') return undefined
  const part: ReasoningPart = { type: 'reasoning', text: thinking }
  if (typeof signature !== 'string' || signature === '') return { part, hints: { missingSignature: true } }
  return { part: attachSignature(part, { vendor: SIGNATURE_VENDOR, value: signature }) }
}

function readRedacted({ data }: JsonObject): DecodedPart | undefined {
  if (typeof data !== 'string') return undefined
  return {
    part: attachSignature<ReasoningPart>(
      { type: 'reasoning', text: '', redacted: true },
      { vendor: SIGNATURE_VENDOR, value: data },
    ),
  }
}

/**
 * Encodes reasoning that Anthropic signed, if the signature still matches; other reasoning becomes text or is
 * omitted.
 */
export function encodeReasoning(
  part: ReasoningPart,
  { hints, path, context }: BlockEncodeContext,
): JsonObject | undefined {
  const { text, signature, redacted } = part
  if (signature?.vendor === SIGNATURE_VENDOR && isSignatureValid(part)) {
    return redacted
      ? { type: 'redacted_thinking', data: signature.value }
      : { type: 'thinking', thinking: text, signature: signature.value }
  }
  if (signature === undefined && hints['missingSignature'] === true && !redacted)
    return { type: 'thinking', thinking: text }
  if (context.options.foreignReasoning === 'text' && text.trim() !== '') {
    context.report('reasoning-as-text', path)
    return { type: 'text', text: wrapReasoningText(text) }
  }
  context.report(
    signature?.vendor === SIGNATURE_VENDOR ? 'stale-signature' : getOmittedReasoningRule(text),
    path,
  )
  return undefined
}
