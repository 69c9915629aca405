import { stringifyArguments, parseArguments } from '../../canonical/build/call-arguments.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { InterlinguaError } from '../../errors.ts'
import { fitSchema } from '../../schema/fit-schema.ts'
import { stripStrictNulls } from '../../schema/strip-strict-nulls.ts'
import { digestJson } from '../../wire/digest.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEqualJson, isObject, type Json, type JsonSchema, tryParseJson } from '../../wire/json.ts'
import type { StrictNullHint } from '../engine/hints.ts'
import { addHints, getHints, type Slot } from '../engine/residue-slots.ts'

/**
 * OpenAI's strict schemas have no optional properties: what is absent is null. An answer is told as one to the schema of the
 * application, without those nulls, and remembers the text that came: it goes back as that while nobody edits it.
 */
export type NullStripper = <T extends Part>(part: T) => T

/** Where nothing was asked for strictly, nothing is restored. */
export const keepNulls: NullStripper = (part) => part

/** The same for the calls of a stream alone: the deltas of a text are its truth, whoever filters them. */
export function createCallNullStripper(
  request: ChatRequest | undefined,
  slot: Slot<StrictNullHint>,
): NullStripper {
  return createNullStripper({ tools: request?.tools ?? [] }, slot)
}

/** How the answers to a request are told by the schemas that it was asked with. */
export function createNullStripper(
  request: Pick<ChatRequest, 'tools' | 'output'> | undefined,
  slot: Slot<StrictNullHint>,
): NullStripper {
  const inputs = new Map<string, JsonSchema>()
  for (const tool of request?.tools ?? []) {
    if (tool.type === 'function' && tool.strict === true) inputs.set(tool.name, tool.input)
  }
  const { schema: output, strict } = request?.output ?? {}
  const asked = strict === true ? output : undefined
  if (inputs.size === 0 && asked === undefined) return keepNulls
  return (part) => {
    const schema = part.type === 'tool-call' ? inputs.get(part.name) : asked
    return schema === undefined ? part : stripPartNulls(part, schema, slot)
  }
}

function stripPartNulls<T extends Part>(part: T, schema: JsonSchema, slot: Slot<StrictNullHint>): T {
  const text = getJsonText(part)
  const value = text?.includes('null') ? tryParseJson(text) : undefined
  if (text === undefined || !isObject(value)) return part
  const restored = stripValueNulls(value, schema)
  if (isEqualJson(restored, value)) return part
  const stripped =
    part.type === 'tool-call'
      ? { arguments: restored, rawArguments: undefined }
      : { text: JSON.stringify(restored) }
  const whole = { ...part, ...stripped }
  return freezeOwned(addHints(whole, slot, { originalText: { contentDigest: digestPartValue(whole), text } }))
}

/** The JSON that a part consists of; none where something else vouches for its text or points into it. */
function getJsonText(part: Part): string | undefined {
  if (part.signature !== undefined) return undefined
  if (part.type === 'tool-call') return part.arguments === undefined ? undefined : stringifyArguments(part)
  return part.type === 'text' && part.citations === undefined ? part.text : undefined
}

/** Only what went out re-spelled comes back so; a schema that cannot be checked against changes nothing. */
function stripValueNulls(value: Json, schema: JsonSchema): Json {
  if (!fitSchema(schema, 'openai-strict').strict) return value
  try {
    return stripStrictNulls(value, schema)
  } catch (error) {
    if (error instanceof InterlinguaError) return value
    throw error
  }
}

/** The part as the model spoke it, while it still is what was made of that. */
export function restoreOriginalText<T extends Part>(part: T, slot: Slot<StrictNullHint>): T {
  const { originalText: original } = getHints(part, slot)
  if (!isObject(original) || original['contentDigest'] !== digestPartValue(part)) return part
  const { text } = original
  if (typeof text !== 'string') return part
  return { ...part, ...(part.type === 'tool-call' ? parseArguments(text) : { text }) }
}

function digestPartValue(part: Part): string {
  const value = part.type === 'tool-call' ? (part.arguments ?? null) : 'text' in part ? part.text : null
  return digestJson(value).slice(0, 16)
}
