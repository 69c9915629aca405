import { attachSignature } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, hintedExtra, getHints, attachResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, vendors } from './constants.ts'
import type { ChatFlavor } from './flavors.ts'

/** The fields in which compatible hosts give thoughts as text, in order of preference. */
export const reasoningTextFields = ['reasoning_content', 'reasoning'] as const

/** Reads thoughts from wherever a host puts them. The same text may stand in several fields: it is read once. */
export function decodeReasoning(wire: JsonObject): readonly ReasoningPart[] {
  const details = wire['reasoning_details']
  if (isList(details) && details.length > 0) {
    const parts = details.map(decodeDetailPart)
    if (parts.every((part) => part !== undefined)) return parts
  }
  const field = reasoningTextFields.find((each) => typeof wire[each] === 'string' && wire[each] !== '')
  if (field === undefined) return []
  return [
    freezeOwned<ReasoningPart>({
      type: 'reasoning',
      text: wire[field] as string,
      extra: hintedExtra(DIALECT_SLOT, { reasoningField: field }),
    }),
  ]
}

/** Which of the text fields repeat what the parts say. */
export function findRepeatedFields(wire: JsonObject, parts: readonly ReasoningPart[]): readonly string[] {
  const text = parts.map((part) => part.text).join('')
  const main = getMainField(parts)
  return reasoningTextFields.filter((field) => field !== main && text !== '' && wire[field] === text)
}

function decodeDetailPart(wire: Json): ReasoningPart | undefined {
  const part = isObject(wire) ? decodeReasoningDetail(wire) : undefined
  if (part === undefined) return undefined
  return attachResidue(
    part,
    DIALECT_SLOT,
    DIALECT_SLOT,
    { reasoningField: 'reasoning_details' },
    wire as JsonObject,
    encodeReasoningDetail,
  )
}

export function decodeReasoningDetail({
  type,
  text,
  summary,
  data,
  signature,
  format,
}: JsonObject): ReasoningPart | undefined {
  const vendor = vendors.get(format) ?? 'unknown'
  if (type === 'reasoning.text' && typeof text === 'string') {
    const part: ReasoningPart = { type: 'reasoning', text }
    return typeof signature === 'string' && signature !== ''
      ? attachSignature(part, { vendor, value: signature })
      : part
  }
  if (type === 'reasoning.summary' && typeof summary === 'string')
    return { type: 'reasoning', text: summary, summary: true }
  if (type !== 'reasoning.encrypted' || typeof data !== 'string') return undefined
  return attachSignature<ReasoningPart>(
    { type: 'reasoning', text: '', redacted: true },
    { vendor, value: data },
  )
}

export function encodeReasoningDetail(part: ReasoningPart): JsonObject {
  const token = part.signature !== undefined && isSignatureValid(part) ? part.signature.value : undefined
  if (part.redacted)
    return applyResidue({ type: 'reasoning.encrypted', data: token ?? '' }, part, DIALECT_SLOT)
  const made = part.summary
    ? { type: 'reasoning.summary', summary: part.text }
    : { type: 'reasoning.text', text: part.text, ...(token !== undefined && { signature: token }) }
  return applyResidue(made, part, DIALECT_SLOT)
}

/** The field that a part came in; undefined for thoughts that this format cannot carry. */
export function getOriginField(part: ReasoningPart): string | undefined {
  const field = getHints(part, DIALECT_SLOT)['reasoningField']
  return typeof field === 'string' ? field : undefined
}

function getMainField(parts: readonly ReasoningPart[]): string | undefined {
  const [first] = parts
  return first === undefined ? undefined : getOriginField(first)
}

/** The field that a part goes to: the one that it came in, or one of its host; undefined where it cannot go. */
export function chooseField(part: ReasoningPart, { reasoningFields }: ChatFlavor): string | undefined {
  const came = getOriginField(part)
  if (reasoningFields === undefined || reasoningFields.some((field) => field === came)) return came
  return part.redacted || part.text === '' ? undefined : reasoningFields[0]
}

/** Thoughts on their way to a field. */
export interface PlacedReasoning {
  readonly part: ReasoningPart
  readonly path: Path
  readonly field: string
}

/** Writes thoughts in their fields, and in those that repeated them. */
export function encodeReasoning(
  thoughts: readonly PlacedReasoning[],
  repeated: Json | undefined,
  flavor: ChatFlavor,
  context: EncodeContext,
): JsonObject {
  const whole = thoughts.filter((thought) => isComplete(thought, context))
  const details = whole
    .filter(({ field }) => field === 'reasoning_details')
    .map(({ part }) => encodeReasoningDetail(part))
  const again: readonly unknown[] = Array.isArray(repeated) ? repeated : []
  const fields = reasoningTextFields.flatMap((field) => {
    const own = whole.filter((thought) => thought.field === field)
    const taken = flavor.reasoningFields?.includes(field) ?? true
    const said = own.length > 0 ? own : taken && again.includes(field) ? whole : []
    return said.length === 0 ? [] : [[field, said.map(({ part }) => part.text).join('')] as const]
  })
  return { ...Object.fromEntries(fields), ...(details.length > 0 && { reasoning_details: details }) }
}

/** Reports a signature that no longer holds; hidden thoughts are nothing without theirs. */
function isComplete({ part, path, field }: PlacedReasoning, context: EncodeContext): boolean {
  const came = getOriginField(part)
  if (came !== undefined && came !== field) context.report('thought-field', path)
  if (part.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  if (part.signature === undefined) return !part.redacted
  const holds = isSignatureValid(part)
  const carried = field === 'reasoning_details' && !part.summary
  if (!holds || !carried) {
    const rule = !holds ? 'stale-signature' : part.redacted ? 'hidden-reasoning' : 'foreign-signature'
    context.report(rule, part.redacted ? path : child(path, 'signature'))
  }
  return holds || !part.redacted
}
