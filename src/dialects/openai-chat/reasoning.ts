import { attachSignature } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, createHintExtra, getHints, attachResidue } from '../engine/residue-slots.ts'
import { isMarkedForeign } from '../engine/reasoning-filter.ts'
import {
  DIALECT_SLOT,
  formatsByReasoningVendor,
  RESPONSE_SLOT,
  vendorsByReasoningFormat,
} from './constants.ts'
import type { OpenAIChatFlavor } from './flavor-type.ts'
import { getFlavor } from './flavors.ts'
import type { OpenAIChatSlot } from './hints.ts'

/** The fields in which compatible hosts send reasoning as text, in order of preference. */
export const reasoningTextFields = ['reasoning_content', 'reasoning'] as const

/** Decodes reasoning from the field that the host uses. Text that several fields repeat is decoded once. */
export function decodeReasoning(wire: JsonObject): readonly ReasoningPart[] {
  const parts = itemsOf(wire['reasoning_details']).map(decodeDetailPart)
  if (parts.length > 0 && parts.every((part) => part !== undefined)) return parts
  const { field, text } = readReasoningTextField(wire)
  if (text === '') return []
  const extra = createHintExtra(DIALECT_SLOT, { reasoningField: field })
  return [freezeOwned<ReasoningPart>({ type: 'reasoning', text, extra })]
}

/** Returns the first text field that is not empty; the text is empty if all are. */
export function readReasoningTextField(wire: JsonObject): { readonly field: string; readonly text: string } {
  for (const field of reasoningTextFields) {
    const text = wire[field]
    if (typeof text === 'string' && text !== '') return { field, text }
  }
  return { field: '', text: '' }
}

/** Returns the text fields that repeat the text of the parts. */
export function findRepeatedReasoningFields(
  wire: JsonObject,
  parts: readonly ReasoningPart[],
): readonly string[] {
  const text = parts.map((part) => part.text).join('')
  const main = parts[0] && getReasoningOriginField(parts[0])
  return reasoningTextFields.filter((field) => field !== main && text !== '' && wire[field] === text)
}

function decodeDetailPart(wire: Json): ReasoningPart | undefined {
  const part = isObject(wire) ? decodeReasoningDetail(wire) : undefined
  if (part === undefined || !isObject(wire)) return undefined
  const hints = { reasoningField: 'reasoning_details' }
  return attachResidue(part, DIALECT_SLOT, hints, wire, encodeReasoningDetail)
}

export function decodeReasoningDetail(wire: JsonObject): ReasoningPart | undefined {
  const { type, text, summary, data, signature, format } = wire
  const vendor = vendorsByReasoningFormat.get(format) ?? 'unknown'
  if (type === 'reasoning.text' && typeof text === 'string') {
    const part: ReasoningPart = { type: 'reasoning', text }
    return typeof signature === 'string' && signature !== ''
      ? attachSignature(part, { vendor, value: signature })
      : part
  }
  if (type === 'reasoning.summary' && typeof summary === 'string')
    return { type: 'reasoning', text: summary, summary: true }
  if (type !== 'reasoning.encrypted' || typeof data !== 'string') return undefined
  const redacted: ReasoningPart = { type: 'reasoning', text: '', redacted: true }
  return attachSignature(redacted, { vendor, value: data })
}

export function encodeReasoningDetail(part: ReasoningPart): JsonObject {
  const token = part.signature !== undefined && isSignatureValid(part) ? part.signature.value : undefined
  // The residue of a received detail contains its format.
  const isReceived = getReasoningOriginField(part) !== undefined
  const format = isReceived ? undefined : formatsByReasoningVendor.get(part.signature?.vendor)
  const common = format === undefined ? {} : { format }
  if (part.redacted)
    return applyResidue({ type: 'reasoning.encrypted', data: token ?? '', ...common }, part, DIALECT_SLOT)
  const made = part.summary
    ? { type: 'reasoning.summary', summary: part.text, ...common }
    : { type: 'reasoning.text', text: part.text, ...(token !== undefined && { signature: token }), ...common }
  return applyResidue(made, part, DIALECT_SLOT)
}

/** Returns the field that contained a part; undefined for reasoning of another dialect. */
export function getReasoningOriginField(part: ReasoningPart): string | undefined {
  const field = getHints(part, DIALECT_SLOT)['reasoningField']
  return typeof field === 'string' ? field : undefined
}

/** Returns the field of a part: its own or the host's; undefined if it cannot be sent as reasoning. */
export function chooseReasoningField(
  part: ReasoningPart,
  flavor: OpenAIChatFlavor,
  context: EncodeContext,
  slot: OpenAIChatSlot,
): string | undefined {
  const originField = getReasoningOriginField(part)
  const { reasoningFields } = flavor
  if (originField !== undefined && (reasoningFields?.some((field) => field === originField) ?? true))
    return originField
  // Marked before redacted: the host must not receive either.
  if (isMarkedForeign(part)) return undefined
  if (hasDetailForm(part) && (reasoningFields?.includes('reasoning_details') ?? false))
    return 'reasoning_details'
  if (part.redacted || part.text === '') return undefined
  return slot === RESPONSE_SLOT ? getAnswerField(context) : reasoningFields?.[0]
}

/** Returns true for reasoning of another format whose signature the details of a router can contain. */
function hasDetailForm(part: ReasoningPart): boolean {
  const { signature } = part
  return signature !== undefined && formatsByReasoningVendor.has(signature.vendor) && isSignatureValid(part)
}

/** Returns the field in which answers show reasoning of another format; undefined if they do not show it. */
export function getAnswerField({ policy, options }: EncodeContext): string | undefined {
  if (policy.foreignReasoning !== 'native') return undefined
  return getFlavor(options).reasoningFields?.[0] ?? reasoningTextFields[0]
}

/** A reasoning part with the field that it is sent in. */
export interface ReasoningWithField {
  readonly part: ReasoningPart
  readonly path: Path
  readonly field: string
}

/** Encodes reasoning in its fields, and in the fields that repeated it. */
export function encodeReasoning(
  placed: readonly ReasoningWithField[],
  repeated: Json | undefined,
  flavor: OpenAIChatFlavor,
  context: EncodeContext,
): JsonObject {
  const complete = placed.filter((each) => isComplete(each, context))
  const details = complete
    .filter(({ field }) => field === 'reasoning_details')
    .map(({ part }) => encodeReasoningDetail(part))
  const repeatedFields: readonly unknown[] = Array.isArray(repeated) ? repeated : []
  const fields = reasoningTextFields.flatMap((field) => {
    const own = complete.filter((each) => each.field === field)
    const isSupported = flavor.reasoningFields?.includes(field) ?? true
    const sent = own.length > 0 ? own : isSupported && repeatedFields.includes(field) ? complete : []
    return sent.length === 0 ? [] : [[field, sent.map(({ part }) => part.text).join('')] as const]
  })
  return { ...Object.fromEntries(fields), ...(details.length > 0 && { reasoning_details: details }) }
}

/** Reports a lost signature; returns false for redacted reasoning that is useless without it. */
function isComplete({ part, path, field }: ReasoningWithField, context: EncodeContext): boolean {
  const originField = getReasoningOriginField(part)
  if (originField !== undefined && originField !== field) context.report('reasoning-field', path)
  if (part.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  if (part.signature === undefined) return !part.redacted
  const isValid = isSignatureValid(part)
  const hasSignatureField = field === 'reasoning_details' && !part.summary
  if (!isValid || !hasSignatureField) {
    const rule = !isValid ? 'stale-signature' : part.redacted ? 'hidden-reasoning' : 'foreign-signature'
    context.report(rule, part.redacted ? path : child(path, 'signature'))
  }
  return isValid || !part.redacted
}
