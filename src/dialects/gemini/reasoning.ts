import { attachSignature } from '../../canonical/build/parts.ts'
import type { Part, ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { wrapReasoningText, getOmittedReasoningRule } from '../engine/text-fallback.ts'
import { DIALECT_VENDOR, PLACEHOLDER_SIGNATURE, isBeforeGemini3 } from './constants.ts'
import type { GeminiHints } from './hints.ts'
import type { DecodedPart, PartEncodeContext } from './part-context.ts'

/** Attaches the signature of a wire part, or adds the hint that allows the part to be encoded without one. */
export function attachWireSignature(
  { part, hints = {} }: DecodedPart,
  { thoughtSignature: value }: JsonObject,
  isFirstCall: boolean,
): Required<DecodedPart> {
  const needsSignature = isApplicationCall(part) && isFirstCall
  if (needsSignature && value === PLACEHOLDER_SIGNATURE)
    return { part, hints: { ...hints, placeholderSignature: true } }
  if (typeof value === 'string' && value !== '')
    return { part: attachSignature(part, { vendor: DIALECT_VENDOR, value }), hints }
  return needsSignature || part.type === 'reasoning'
    ? { part, hints: { ...hints, missingSignature: true } }
    : { part, hints }
}

/**
 * Returns the signature to send: the part's own if it is valid, a detached one, or the placeholder for the
 * first tool call of an assistant message, which must have one.
 */
export function encodeSignature(
  part: Part,
  made: JsonObject,
  hints: GeminiHints,
  { path, context, location, isFirstCall, detachedSignatures }: PartEncodeContext,
): string | undefined {
  const { signature } = part
  if (hasValidSignature(part)) return signature?.value
  const isCall = Object.hasOwn(made, 'functionCall')
  if (signature !== undefined) {
    const rule = signature.vendor === DIALECT_VENDOR ? 'stale-signature' : 'foreign-signature'
    context.report(rule, child(path, 'signature'))
  }
  const detached = signature === undefined && isCall ? detachedSignatures?.shift() : undefined
  if (detached !== undefined || !isCall || !isFirstCall) return detached
  if (hints['placeholderSignature'] === true) return PLACEHOLDER_SIGNATURE
  if (location !== 'assistant' || hints['missingSignature'] === true) return undefined
  if (isBeforeGemini3(context.options.model)) return undefined
  context.report('signature-placeholder', child(path, 'signature'))
  return PLACEHOLDER_SIGNATURE
}

/** Returns true if a part has a signature of Google that still matches its content. */
export function hasValidSignature(part: Part): boolean {
  return part.signature?.vendor === DIALECT_VENDOR && isSignatureValid(part)
}

/** Decodes reasoning, which is text with a flag; it needs no signature. */
export function decodeReasoning(text: string): DecodedPart {
  return { part: { type: 'reasoning', text } }
}

/** Encodes reasoning of Google's models; reasoning of other vendors becomes text or is omitted. */
export function encodeReasoning(
  part: ReasoningPart,
  hints: GeminiHints,
  { path, context, location }: PartEncodeContext,
): JsonObject | undefined {
  const { text, signature } = part
  // A response may contain unsigned reasoning.
  if (location === 'response' && text !== '') return { text, thought: true }
  const isOwnVendor =
    signature === undefined ? hints['missingSignature'] === true : signature.vendor === DIALECT_VENDOR
  if (isOwnVendor && (text !== '' || signature === undefined || hasValidSignature(part)))
    return { text, thought: true }
  if (!isOwnVendor && context.options.foreignReasoning === 'text' && text.trim() !== '') {
    context.report('reasoning-as-text', path)
    return { text: wrapReasoningText(text) }
  }
  context.report(isOwnVendor ? 'stale-signature' : getOmittedReasoningRule(text), path)
  return undefined
}

/** Returns the signature of redacted reasoning, in which routers report the signatures of Google. */
export function getDetachedSignature(part: Part): string | undefined {
  const isSignatureOnly = part.type === 'reasoning' && part.redacted === true && part.text === ''
  return isSignatureOnly && hasValidSignature(part) ? part.signature?.value : undefined
}
