import type { Part, ReasoningPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import { wrapReasoningText, omittedReasoning } from '../engine/text-fallback.ts'
import { VENDOR, PLACEHOLDER_SIGNATURE, DIALECT_SLOT, isBeforeGemini3 } from './constants.ts'
import type { DecodedPart, PartEncodeContext, PartDecodeContext } from './part-context.ts'
import { attachSignature } from '../../canonical/build/parts.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { child } from '../../wire/json-pointer.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { hintsIn } from '../engine/residue-slots.ts'

/** The part with its signature; without one, the hint by which it may go out unsigned. */
export function decodeSignature(
  { part, hints = {} }: DecodedPart,
  wire: JsonObject,
  { isFirstCall }: PartDecodeContext,
): Required<DecodedPart> {
  const { thoughtSignature: value } = wire
  const isCall = isApplicationCall(part)
  const placed = value === PLACEHOLDER_SIGNATURE && isCall && isFirstCall === true
  if (typeof value === 'string' && value !== '' && !placed)
    return { part: attachSignature(part, { vendor: VENDOR, value }), hints }
  const bare = part.type === 'reasoning' || (isCall && isFirstCall === true)
  const form = placed ? { placeholderSignature: true } : bare && { missingSignature: true }
  return { part, hints: hintsIn(DIALECT_SLOT, { ...hints, ...form }) }
}

/** A signature goes back to its maker, with what it vouches for. The first call of an answer must have one. */
export function encodeSignature(
  part: Part,
  made: JsonObject,
  partContext: PartEncodeContext,
): string | undefined {
  const { hints, path, context, location, isFirstCall, detachedSignatures } = partContext
  const { signature } = part
  if (signature?.vendor === VENDOR && isSignatureValid(part)) return signature.value
  if (signature !== undefined) {
    const rule = signature.vendor === VENDOR ? 'stale-signature' : 'foreign-signature'
    context.report(rule, child(path, 'signature'))
  }
  const found =
    signature === undefined && Object.hasOwn(made, 'functionCall') ? detachedSignatures?.shift() : undefined
  if (found !== undefined) return found
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

/** Whether a part has a signature of this provider that still vouches for it. */
export function hasValidSignature(part: Part): boolean {
  return part.signature?.vendor === VENDOR && isSignatureValid(part)
}

/** Reads thoughts: a text that is marked as such. They need not be signed. */
export function decodeReasoning(text: string): DecodedPart {
  return { part: { type: 'reasoning', text } }
}

/** Thoughts go back to where they came from; those of others are set aside. */
export function encodeReasoning(
  part: ReasoningPart,
  { hints, path, context, location }: PartEncodeContext,
): JsonObject | undefined {
  const { text, signature } = part
  // An answer may show thoughts that nobody signed.
  if (location === 'response' && text !== '') return { text, thought: true }
  const isOurs = signature === undefined ? hints['missingSignature'] === true : signature.vendor === VENDOR
  if (isOurs && (text !== '' || signature === undefined || hasValidSignature(part)))
    return { text, thought: true }
  if (!isOurs && context.options.foreignReasoning === 'text' && text.trim() !== '') {
    context.report('reasoning-as-text', path)
    return { text: wrapReasoningText(text) }
  }
  context.report(isOurs ? 'stale-signature' : omittedReasoning(text), path)
  return undefined
}

/** The signature of a part that is nothing else: this provider has no hidden thoughts, but its routers tell signatures so. */
export function getDetachedSignature(part: Part): string | undefined {
  const alone = part.type === 'reasoning' && part.redacted === true && part.text === ''
  return alone && hasValidSignature(part) ? part.signature?.value : undefined
}
