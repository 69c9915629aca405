import { sign } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { signatureHolds } from '../../canonical/read/digest.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { applyResidue, hintedExtra, hintsFor, keep } from '../unit.ts'
import { SLOT, vendors } from './codes.ts'
import type { ChatFlavor } from './flavors.ts'

type Wire = { readonly [key: string]: Json }

/** The fields in which compatible hosts give thoughts as text, in order of preference. */
export const textFields = ['reasoning_content', 'reasoning'] as const

/** Reads thoughts from wherever a host puts them. The same text may stand in several fields: it is read once. */
export function decodeReasoning(wire: Wire): readonly ReasoningPart[] {
  const details = wire['reasoning_details']
  if (isList(details) && details.length > 0) {
    const parts = details.map(decodeDetail)
    if (parts.every((part) => part !== undefined)) return parts
  }
  const field = textFields.find((each) => typeof wire[each] === 'string' && wire[each] !== '')
  if (field === undefined) return []
  return [
    sealOwn<ReasoningPart>({
      type: 'reasoning',
      text: wire[field] as string,
      extra: hintedExtra(SLOT, { reasoningField: field }),
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
  return keep(part, SLOT, SLOT, { reasoningField: 'reasoning_details' }, wire as JsonObject, encodeDetail)
}

export function readDetail({
  type,
  text,
  summary,
  data,
  signature,
  format,
}: Wire): ReasoningPart | undefined {
  const vendor = vendors.get(format) ?? 'unknown'
  if (type === 'reasoning.text' && typeof text === 'string') {
    const part: ReasoningPart = { type: 'reasoning', text }
    return typeof signature === 'string' && signature !== '' ? sign(part, { vendor, value: signature }) : part
  }
  if (type === 'reasoning.summary' && typeof summary === 'string')
    return { type: 'reasoning', text: summary, summary: true }
  if (type !== 'reasoning.encrypted' || typeof data !== 'string') return undefined
  return sign<ReasoningPart>({ type: 'reasoning', text: '', redacted: true }, { vendor, value: data })
}

export function encodeDetail(part: ReasoningPart): JsonObject {
  const token = part.signature !== undefined && signatureHolds(part) ? part.signature.value : undefined
  if (part.redacted) return applyResidue({ type: 'reasoning.encrypted', data: token ?? '' }, part, SLOT)
  const made = part.summary
    ? { type: 'reasoning.summary', summary: part.text }
    : { type: 'reasoning.text', text: part.text, ...(token !== undefined && { signature: token }) }
  return applyResidue(made, part, SLOT)
}

/** The field that a part came in; undefined for thoughts that this format cannot carry. */
export function fieldOf(part: ReasoningPart): string | undefined {
  const field = hintsFor(part, SLOT)['reasoningField']
  return typeof field === 'string' ? field : undefined
}

function mainField(parts: readonly ReasoningPart[]): string | undefined {
  const [first] = parts
  return first === undefined ? undefined : fieldOf(first)
}

/** The field that a part goes to: the one that it came in, or one of its host; undefined where it cannot go. */
export function fieldFor(part: ReasoningPart, { thoughts }: ChatFlavor): string | undefined {
  const came = fieldOf(part)
  if (thoughts === undefined || thoughts.some((field) => field === came)) return came
  return part.redacted || part.text === '' ? undefined : thoughts[0]
}

/** Thoughts on their way to a field. */
export interface Thought {
  readonly part: ReasoningPart
  readonly at: Path
  readonly field: string
}

/** Writes thoughts in their fields, and in those that repeated them. */
export function encodeReasoning(
  thoughts: readonly Thought[],
  repeated: Json | undefined,
  flavor: ChatFlavor,
  encoding: Encoding,
): JsonObject {
  const whole = thoughts.filter((thought) => isWhole(thought, encoding))
  const details = whole
    .filter(({ field }) => field === 'reasoning_details')
    .map(({ part }) => encodeDetail(part))
  const again: readonly unknown[] = Array.isArray(repeated) ? repeated : []
  const fields = textFields.flatMap((field) => {
    const own = whole.filter((thought) => thought.field === field)
    const taken = flavor.thoughts?.includes(field) ?? true
    const said = own.length > 0 ? own : taken && again.includes(field) ? whole : []
    return said.length === 0 ? [] : [[field, said.map(({ part }) => part.text).join('')] as const]
  })
  return { ...Object.fromEntries(fields), ...(details.length > 0 && { reasoning_details: details }) }
}

/** Reports a signature that no longer holds; hidden thoughts are nothing without theirs. */
function isWhole({ part, at, field }: Thought, encoding: Encoding): boolean {
  const came = fieldOf(part)
  if (came !== undefined && came !== field) encoding.lose('thought-field', at)
  if (part.cache !== undefined) encoding.lose('cache-hint', below(at, 'cache'))
  if (part.signature === undefined) return !part.redacted
  const holds = signatureHolds(part)
  const carried = field === 'reasoning_details' && !part.summary
  if (!holds || !carried) {
    const rule = !holds ? 'stale-signature' : part.redacted ? 'hidden-reasoning' : 'foreign-signature'
    encoding.lose(rule, part.redacted ? at : below(at, 'signature'))
  }
  return holds || !part.redacted
}
