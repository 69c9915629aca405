import { stripStrictNulls } from '../../schema/strip-strict-nulls.ts'
import { type SchemaIssue, validateValue } from '../../schema/validate-value.ts'
import { isObject, type Json, getOwnValue, tryParseJson } from '../../wire/json.ts'
import type { OutputSpec } from './output-spec.ts'
import { createPartialJsonParser } from '../../wire/partial-json-parser.ts'

/** Takes the next piece of JSON and returns the output parsed so far. */
export type PartialOutputReader = (piece: string) => { readonly output?: Json }

/**
 * Returns a reader of output that arrives in pieces. Null properties are omitted until the output is complete: only
 * then is it known which of them replace an optional property that a strict schema makes required.
 */
export function createPartialOutputReader({ isWrapped }: OutputSpec): PartialOutputReader {
  const partial = createPartialJsonParser({ omitNulls: true })
  return (piece) => {
    partial.push(piece)
    const { value } = partial
    const output = isWrapped && isObject(value) ? value['result'] : value
    return output === undefined ? {} : { output }
  }
}

/** Typed output with its JSON, or the issues found. */
export type OutputReadResult =
  | { readonly output: { readonly value: unknown; readonly json: Json; readonly text: string } }
  | { readonly issues: readonly SchemaIssue[] }

/** Parses and validates typed output from the text of a model. */
export async function readOutputText(text: string, format: OutputSpec): Promise<OutputReadResult> {
  const value = findJson(text)
  return value === undefined
    ? { issues: [{ path: '', message: 'The text is not JSON.' }] }
    : readOutputValue(value, format)
}

/** Validates typed output. */
export async function readOutputValue(value: Json, format: OutputSpec): Promise<OutputReadResult> {
  const restored = stripStrictNulls(value, format.schema)
  // Accepts the value without the wrapping object, too.
  const isWrapped = format.isWrapped && isObject(restored) && Object.hasOwn(restored, 'result')
  const inner = isWrapped ? (getOwnValue(restored, 'result') as Json) : restored
  const checked = await validateValue<unknown>(format.schemaSource, inner)
  if (checked.issues !== undefined) return { issues: checked.issues }
  return { output: { value: checked.value, json: inner, text: JSON.stringify(inner) } }
}

/** Returns the JSON of a text: the entire text, a fenced block, or the text between the outermost brackets. */
function findJson(text: string): Json | undefined {
  const fenced = text.split('```')[1]?.replace(/^[a-z]*\s/i, '')
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1
  const outer = text.slice(Math.max(0, text.search(/[[{]/)), end)
  for (const candidate of [text, fenced, outer]) {
    const value = candidate === undefined ? undefined : tryParseJson(candidate)
    if (value !== undefined) return value
  }
  return undefined
}
