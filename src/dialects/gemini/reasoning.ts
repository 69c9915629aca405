import { attachSignature } from '../../canonical/build/parts.ts'
import type { Part, ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { createReasoningFallback, type FallbackPart } from '../engine/content-fallback.ts'
import { getHints } from '../engine/residue-slots.ts'
import { PLACEHOLDER_SIGNATURE } from '../shared/google-common.ts'
import { DIALECT_SLOT, DIALECT_VENDOR } from './constants.ts'
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
  // A call that was decoded without a signature stays unsigned, except for a model that is known to require one.
  const { requiresCallSignatures = hints['missingSignature'] !== true } = context.facts
  if (location !== 'assistant' || !requiresCallSignatures) return undefined
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

/** Encodes reasoning of Google's models; reasoning of other vendors becomes a thought in answers, else text, or is omitted. */
export function encodeReasoning(
  part: ReasoningPart,
  hints: GeminiHints,
  { path, context, location }: PartEncodeContext,
): JsonObject | undefined {
  const { text, signature } = part
  const isOwnVendor = isOwnReasoning(part, hints)
  // An answer may contain unsigned reasoning.
  const isShown = location === 'response' && (isOwnVendor || context.policy.foreignReasoning === 'native')
  if (isShown && text !== '') return { text, thought: true }
  if (isOwnVendor && (text !== '' || signature === undefined || hasValidSignature(part)))
    return { text, thought: true }
  const shown = createReasoningFallback(part, path, context, isOwnVendor ? 'stale-signature' : undefined)
  return shown && { text: shown.text }
}

/** Returns true for reasoning that Google signed, or that was received in this format without a signature. */
export function isOwnReasoning(
  part: ReasoningPart,
  hints: GeminiHints = getHints(part, DIALECT_SLOT),
): boolean {
  const { signature } = part
  return signature === undefined ? hints['missingSignature'] === true : signature.vendor === DIALECT_VENDOR
}

/** Encodes the part that replaces content which the API does not accept. Only the model's messages contain reasoning. */
export function encodeFallback(
  fallback: FallbackPart | undefined,
  partContext: PartEncodeContext,
): JsonObject | undefined {
  if (fallback === undefined) return undefined
  const { location } = partContext
  return fallback.type === 'reasoning' && (location === 'response' || location === 'assistant')
    ? encodeReasoning(fallback, {}, partContext)
    : { text: fallback.text }
}

/** Returns the signature of redacted reasoning, in which routers report the signatures of Google. */
export function getDetachedSignature(part: Part): string | undefined {
  const isSignatureOnly = part.type === 'reasoning' && part.redacted === true && part.text === ''
  return isSignatureOnly && hasValidSignature(part) ? part.signature?.value : undefined
}
