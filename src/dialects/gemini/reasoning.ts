import type { Part, ReasoningPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import { wrapReasoningText, getOmittedReasoningRule } from '../engine/text-fallback.ts'
import { SIGNATURE_VENDOR, PLACEHOLDER_SIGNATURE, DIALECT_SLOT, isBeforeGemini3 } from './constants.ts'
import type { DecodedPart, PartEncodeContext, PartDecodeContext } from './part-context.ts'
import { attachSignature } from '../../canonical/build/parts.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { child } from '../../wire/json-pointer.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { hintsIn } from '../engine/residue-slots.ts'

/**
 * Attaches the signature of a wire part; without one, adds the hint that allows the part to be encoded
 * unsigned.
 */
export function decodeSignature(
  { part, hints = {} }: DecodedPart,
  wire: JsonObject,
  { isFirstCall }: PartDecodeContext,
): Required<DecodedPart> {
  const { thoughtSignature: value } = wire
  const isCall = isApplicationCall(part)
  const isPlaceholder = value === PLACEHOLDER_SIGNATURE && isCall && isFirstCall === true
  if (typeof value === 'string' && value !== '' && !isPlaceholder)
    return { part: attachSignature(part, { vendor: SIGNATURE_VENDOR, value }), hints }
  const isUnsigned = part.type === 'reasoning' || (isCall && isFirstCall === true)
  const formHints = isPlaceholder ? { placeholderSignature: true } : isUnsigned && { missingSignature: true }
  return { part, hints: hintsIn(DIALECT_SLOT, { ...hints, ...formHints }) }
}

/**
 * Returns the signature to send: the part's own if it is valid, a detached one, or the placeholder. The first
 * tool call of an assistant message must have a signature.
 */
export function encodeSignature(
  part: Part,
  made: JsonObject,
  partContext: PartEncodeContext,
): string | undefined {
  const { hints, path, context, location, isFirstCall, detachedSignatures } = partContext
  const { signature } = part
  if (signature?.vendor === SIGNATURE_VENDOR && isSignatureValid(part)) return signature.value
  if (signature !== undefined) {
    const rule = signature.vendor === SIGNATURE_VENDOR ? 'stale-signature' : 'foreign-signature'
    context.report(rule, child(path, 'signature'))
  }
  const detached =
    signature === undefined && Object.hasOwn(made, 'functionCall') ? detachedSignatures?.shift() : undefined
  if (detached !== undefined) return detached
  const isNeeded =
    (location === 'assistant' || hints['placeholderSignature'] === true) &&
    isFirstCall &&
    Object.hasOwn(made, 'functionCall')
  if (isNeeded && hints['placeholderSignature'] === true) return PLACEHOLDER_SIGNATURE
  if (!isNeeded || hints['missingSignature'] === true || isBeforeGemini3(context.options.model))
    return undefined
  context.report('signature-placeholder', child(path, 'signature'))
  return PLACEHOLDER_SIGNATURE
}

/** Returns true if a part has a signature of Google that still matches its content. */
export function hasValidSignature(part: Part): boolean {
  return part.signature?.vendor === SIGNATURE_VENDOR && isSignatureValid(part)
}

/** Decodes reasoning, which is text with a flag; it needs no signature. */
export function decodeReasoning(text: string): DecodedPart {
  return { part: { type: 'reasoning', text } }
}

/** Encodes reasoning of Google's models; reasoning of other vendors becomes text or is omitted. */
export function encodeReasoning(
  part: ReasoningPart,
  { hints, path, context, location }: PartEncodeContext,
): JsonObject | undefined {
  const { text, signature } = part
  // A response may contain unsigned reasoning.
  if (location === 'response' && text !== '') return { text, thought: true }
  const isOwnVendor =
    signature === undefined ? hints['missingSignature'] === true : signature.vendor === SIGNATURE_VENDOR
  if (isOwnVendor && (text !== '' || signature === undefined || hasValidSignature(part)))
    return { text, thought: true }
  if (!isOwnVendor && context.options.foreignReasoning === 'text' && text.trim() !== '') {
    context.report('reasoning-as-text', path)
    return { text: wrapReasoningText(text) }
  }
  context.report(isOwnVendor ? 'stale-signature' : getOmittedReasoningRule(text), path)
  return undefined
}

/**
 * Returns the signature of a part that has no other content. Google has no redacted reasoning, but routers
 * report its signatures in this form.
 */
export function getDetachedSignature(part: Part): string | undefined {
  const isSignatureOnly = part.type === 'reasoning' && part.redacted === true && part.text === ''
  return isSignatureOnly && hasValidSignature(part) ? part.signature?.value : undefined
}
