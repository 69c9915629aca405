import { stripStrictNulls } from '../../schema/strip-strict-nulls.ts'
import { type SchemaIssue, validateValue } from '../../schema/validate-value.ts'
import { isObject, type Json, getOwnValue } from '../../wire/json.ts'
import type { OutputSpec } from './output-spec.ts'
import { createPartialJson } from '../../wire/partial-json.ts'

/**
 * The output so far, as a chunk says it, with each piece of its JSON. Which nulls are meant, and which stand for a property that
 * a strict schema does not let the model leave out, is seen when it is whole: until then there are none.
 */
export function createPartialOutputReader({
  isWrapped,
}: OutputSpec): (piece: string) => { readonly output?: Json } {
  const partial = createPartialJson({ omitNulls: true })
  return (piece) => {
    partial.push(piece)
    const { value } = partial
    const output = isWrapped && isObject(value) ? value['result'] : value
    return output === undefined ? {} : { output }
  }
}

/** Typed output with its JSON, or what is wrong with it. */
export type OutputReadResult =
  | { readonly output: { readonly value: unknown; readonly json: Json; readonly text: string } }
  | { readonly issues: readonly SchemaIssue[] }

/** Typed output from what a model wrote. */
export async function readOutputText(text: string, format: OutputSpec): Promise<OutputReadResult> {
  const value = findJson(text)
  return value === undefined
    ? { issues: [{ path: '', message: 'This is not JSON.' }] }
    : readOutputValue(value, format)
}

/** Typed output from a JSON value. */
export async function readOutputValue(given: Json, format: OutputSpec): Promise<OutputReadResult> {
  const restored = stripStrictNulls(given, format.schema)
  // A model that leaves the object around the value away has said it all the same.
  const wrapped = format.isWrapped && isObject(restored) && Object.hasOwn(restored, 'result')
  const inner = wrapped ? (getOwnValue(restored, 'result') as Json) : restored
  const checked = await validateValue<unknown>(format.schemaSource, inner)
  if (checked.issues !== undefined) return { issues: checked.issues }
  return { output: { value: checked.value, json: inner, text: JSON.stringify(inner) } }
}

/** The JSON of an answer: all of it, a fenced block, or what stands between the outermost brackets. */
function findJson(text: string): Json | undefined {
  const fenced = text.split('```')[1]?.replace(/^[a-z]*\s/i, '')
  const outer = text.slice(
    Math.max(0, text.search(/[[{]/)),
    Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1,
  )
  for (const candidate of [text, fenced, outer]) {
    const value = candidate === undefined ? undefined : tryParseJson(candidate)
    if (value !== undefined) return value
  }
  return undefined
}

function tryParseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined // the next way to read it may work
  }
}
