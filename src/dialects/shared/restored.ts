import { argumentsText, readArguments } from '../../canonical/build/arguments.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { InterlinguaError } from '../../errors.ts'
import { fitSchema } from '../../schema/fit.ts'
import { restore } from '../../schema/restore.ts'
import { digestJson } from '../../wire/digest.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { equalJson, isObject, type Json, type JsonSchema } from '../../wire/json.ts'
import type { StrictNullHint } from '../hints.ts'
import { addHints, hintsFor, type Slot } from '../unit.ts'

/**
 * OpenAI's strict schemas have no optional properties: what is absent is null. An answer is told as one to the schema of the
 * application, without those nulls, and remembers the text that came: it goes back as that while nobody edits it.
 */
export type Restoring = <T extends Part>(part: T) => T

/** Where nothing was asked for strictly, nothing is restored. */
export const unchanged: Restoring = (part) => part

/** The same for the calls of a stream alone: the deltas of a text are its truth, whoever filters them. */
export function restoringCalls(request: ChatRequest | undefined, slot: Slot<StrictNullHint>): Restoring {
  return restoringFor({ tools: request?.tools ?? [] }, slot)
}

/** How the answers to a request are told by the schemas that it was asked with. */
export function restoringFor(
  request: Pick<ChatRequest, 'tools' | 'output'> | undefined,
  slot: Slot<StrictNullHint>,
): Restoring {
  const inputs = new Map<string, JsonSchema>()
  for (const tool of request?.tools ?? []) {
    if (tool.type === 'function' && tool.strict === true) inputs.set(tool.name, tool.input)
  }
  const { schema: output, strict } = request?.output ?? {}
  const asked = strict === true ? output : undefined
  if (inputs.size === 0 && asked === undefined) return unchanged
  return (part) => {
    const schema = part.type === 'tool-call' ? inputs.get(part.name) : asked
    return schema === undefined ? part : restoredPart(part, schema, slot)
  }
}

function restoredPart<T extends Part>(part: T, schema: JsonSchema, slot: Slot<StrictNullHint>): T {
  const text = textOf(part)
  const value = text?.includes('null') ? parsed(text) : undefined
  if (text === undefined || value === undefined) return part
  const restored = restoredValue(value, schema)
  if (equalJson(restored, value)) return part
  const told =
    part.type === 'tool-call'
      ? { arguments: restored, rawArguments: undefined }
      : { text: JSON.stringify(restored) }
  const whole = { ...part, ...told }
  return sealOwn(addHints(whole, slot, { originalText: { contentDigest: guardOf(whole), text } }))
}

/** The JSON that a part consists of; none where something else vouches for its text or points into it. */
function textOf(part: Part): string | undefined {
  if (part.signature !== undefined) return undefined
  if (part.type === 'tool-call') return part.arguments === undefined ? undefined : argumentsText(part)
  return part.type === 'text' && part.citations === undefined ? part.text : undefined
}

function parsed(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Only what went out re-spelled comes back so; a schema that cannot be checked against changes nothing. */
function restoredValue(value: Json, schema: JsonSchema): Json {
  if (!fitSchema(schema, 'openai-strict').strict) return value
  try {
    return restore(value, schema)
  } catch (error) {
    if (error instanceof InterlinguaError) return value
    throw error
  }
}

/** The part as the model spoke it, while it still is what was made of that. */
export function asSpoken<T extends Part>(part: T, slot: Slot<StrictNullHint>): T {
  const { originalText: original } = hintsFor(part, slot)
  if (!isObject(original) || original['contentDigest'] !== guardOf(part)) return part
  const { text } = original
  if (typeof text !== 'string') return part
  return { ...part, ...(part.type === 'tool-call' ? readArguments(text) : { text }) }
}

function guardOf(part: Part): string {
  const said = part.type === 'tool-call' ? (part.arguments ?? null) : 'text' in part ? part.text : null
  return digestJson(said).slice(0, 16)
}
