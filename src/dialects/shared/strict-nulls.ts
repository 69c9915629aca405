import { stringifyArguments, parseArguments } from '../../canonical/build/call-arguments.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { InterlinguaError } from '../../errors.ts'
import { fitSchema } from '../../schema/fit-schema.ts'
import { stripStrictNulls } from '../../schema/strip-strict-nulls.ts'
import { digestJson } from '../../wire/digest.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEqualJson, isObject, type Json, type JsonSchema, tryParseJson } from '../../wire/json.ts'
import type { StrictNullHint } from '../engine/residue-hints.ts'
import { addHints, getHints, type Slot } from '../engine/residue-slots.ts'

/**
 * Removes the nulls of a strict schema from a part. OpenAI's strict schemas have no optional properties: an
 * absent property is null. The part is decoded without those nulls, so that it fits the schema of the
 * application, and keeps the received text as a hint. It is sent as received if it has not been edited since.
 */
export type NullStripper = <T extends Part>(part: T) => T

export const keepNulls: NullStripper = (part) => part

/** Creates a stripper for the calls of a stream. Streamed text stays, since its deltas were already sent. */
export function createCallNullStripper(
  request: ChatRequest | undefined,
  slot: Slot<StrictNullHint>,
): NullStripper {
  return createNullStripper({ tools: request?.tools ?? [] }, slot)
}

/** Creates a stripper for the responses to a request. */
export function createNullStripper(
  request: Pick<ChatRequest, 'tools' | 'output'> | undefined,
  slot: Slot<StrictNullHint>,
): NullStripper {
  const inputs = new Map<string, JsonSchema>()
  for (const tool of request?.tools ?? []) {
    if (tool.type === 'function' && tool.strict === true) inputs.set(tool.name, tool.input)
  }
  const { schema: output, strict } = request?.output ?? {}
  const outputSchema = strict === true ? output : undefined
  if (inputs.size === 0 && outputSchema === undefined) return keepNulls
  return (part) => {
    const schema = part.type === 'tool-call' ? inputs.get(part.name) : outputSchema
    return schema === undefined ? part : stripPartNulls(part, schema, slot)
  }
}

function stripPartNulls<T extends Part>(part: T, schema: JsonSchema, slot: Slot<StrictNullHint>): T {
  const text = getJsonText(part)
  const value = text?.includes('null') ? tryParseJson(text) : undefined
  if (text === undefined || !isObject(value)) return part
  const strippedValue = stripValueNulls(value, schema)
  if (isEqualJson(strippedValue, value)) return part
  const stripped =
    part.type === 'tool-call'
      ? { ...part, arguments: strippedValue, rawArguments: undefined }
      : { ...part, text: JSON.stringify(strippedValue) }
  const originalText = { contentDigest: digestPartValue(stripped), text }
  return freezeOwned(addHints(stripped, slot, { originalText }))
}

/** Returns the JSON text of a part; undefined if a signature or citations refer to it. */
function getJsonText(part: Part): string | undefined {
  if (part.signature !== undefined) return undefined
  if (part.type === 'tool-call') return part.arguments === undefined ? undefined : stringifyArguments(part)
  return part.type === 'text' && part.citations === undefined ? part.text : undefined
}

/** Removes nulls if the schema was sent as a strict one and can be checked. */
function stripValueNulls(value: Json, schema: JsonSchema): Json {
  if (!fitSchema(schema, 'openai-strict').strict) return value
  try {
    return stripStrictNulls(value, schema)
  } catch (error) {
    if (error instanceof InterlinguaError) return value
    throw error
  }
}

/** Returns the part with the received text, if it has not been edited since. */
export function restoreNulls<T extends Part>(part: T, slot: Slot<StrictNullHint>): T {
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
