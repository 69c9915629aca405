import { sign } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { signatureHolds } from '../../canonical/read/digest.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { makers, SLOT } from './codes.ts'

type Wire = { readonly [key: string]: Json }

/** The fields in which compatible hosts give thoughts as text, in order of preference. */
export const textFields = ['reasoning_content', 'reasoning'] as const

/** Reads thoughts from wherever a host puts them. The same text may stand in several fields: it is read once. */
export function decodeReasoning(wire: Wire): readonly ReasoningPart[] {
  const details = wire['reasoning_details']
  if (Array.isArray(details) && details.length > 0) {
    const parts = (details as readonly Json[]).map(decodeDetail)
    if (parts.every((part) => part !== undefined)) return parts
  }
  const field = textFields.find((each) => typeof wire[each] === 'string' && wire[each] !== '')
  if (field === undefined) return []
  return [
    sealedCopy<ReasoningPart>({
      type: 'reasoning',
      text: wire[field] as string,
      extra: { [SLOT]: { $: { hints: { field } } } },
    }),
  ]
}

/** Which of the text fields repeat what the parts say. */
export function repeatedFields(wire: Wire, parts: readonly ReasoningPart[]): readonly string[] {
  const text = parts.map((part) => part.text).join('')
  const main = mainField(parts)
  return textFields.filter((field) => field !== main && text !== '' && wire[field] === text)
}

function decodeDetail(wire: Json): ReasoningPart | undefined {
  const part = isObject(wire) ? readDetail(wire) : undefined
  if (part === undefined) return undefined
  return keep(part, SLOT, SLOT, { field: 'reasoning_details' }, wire as JsonObject, encodeDetail)
}

function readDetail({ type, text, summary, data, signature, format }: Wire): ReasoningPart | undefined {
  const maker = makers.get(format) ?? 'unknown'
  if (type === 'reasoning.text' && typeof text === 'string') {
    const part: ReasoningPart = { type: 'reasoning', text }
    return typeof signature === 'string' && signature !== '' ? sign(part, { maker, value: signature }) : part
  }
  if (type === 'reasoning.summary' && typeof summary === 'string')
    return { type: 'reasoning', text: summary, summary: true }
  if (type !== 'reasoning.encrypted' || typeof data !== 'string') return undefined
  return sign<ReasoningPart>({ type: 'reasoning', text: '', redacted: true }, { maker, value: data })
}

function encodeDetail(part: ReasoningPart): JsonObject {
  const token = part.signature !== undefined && signatureHolds(part) ? part.signature.value : undefined
  if (part.redacted) return applyResidue({ type: 'reasoning.encrypted', data: token ?? '' }, part, SLOT)
  const made = part.summary
    ? { type: 'reasoning.summary', summary: part.text }
    : { type: 'reasoning.text', text: part.text, ...(token !== undefined && { signature: token }) }
  return applyResidue(made, part, SLOT)
}

/** The field that a part came in; undefined for thoughts that this format cannot carry. */
export function fieldOf(part: ReasoningPart): string | undefined {
  const field = hintsFor(part, SLOT)['field']
  return typeof field === 'string' ? field : undefined
}

function mainField(parts: readonly ReasoningPart[]): string | undefined {
  const [first] = parts
  return first === undefined ? undefined : fieldOf(first)
}

/** Writes thoughts in the fields that they came in, and in those that repeated them. */
export function encodeReasoning(parts: readonly ReasoningPart[], repeated: Json | undefined): JsonObject {
  const details = parts.filter((part) => fieldOf(part) === 'reasoning_details').map(encodeDetail)
  const texts = parts.filter((part) => fieldOf(part) !== 'reasoning_details')
  const text = parts.map((part) => part.text).join('')
  const again = Array.isArray(repeated) ? textFields.filter((field) => repeated.includes(field)) : []
  return {
    ...Object.fromEntries(texts.map((part) => [fieldOf(part) ?? 'reasoning_content', part.text])),
    ...Object.fromEntries(again.map((field) => [field, text])),
    ...(details.length > 0 && { reasoning_details: details }),
  }
}
