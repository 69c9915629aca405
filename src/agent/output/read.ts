import { restore } from '../../schema/restore.ts'
import { type SchemaIssue, validateWith } from '../../schema/validate.ts'
import { isObject, type Json, ownValue } from '../../wire/json.ts'
import type { OutputFormat } from './format.ts'

/** Typed output with its JSON, or what is wrong with it. */
export type ReadOutput =
  | { readonly output: { readonly value: unknown; readonly json: Json; readonly text: string } }
  | { readonly issues: readonly SchemaIssue[] }

/** Typed output from what a model wrote. */
export async function readText(text: string, format: OutputFormat): Promise<ReadOutput> {
  const value = findJson(text)
  return value === undefined
    ? { issues: [{ path: '', message: 'This is not JSON.' }] }
    : readValue(value, format)
}

/** Typed output from a JSON value. */
export async function readValue(given: Json, format: OutputFormat): Promise<ReadOutput> {
  const restored = restore(given, format.schema)
  // A model that leaves the object around the value away has said it all the same.
  const wrapped = format.wrapped && isObject(restored) && Object.hasOwn(restored, 'result')
  const inner = wrapped ? (ownValue(restored, 'result') as Json) : restored
  const checked = await validateWith<unknown>(format.source, inner)
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
    const value = candidate === undefined ? undefined : parsed(candidate)
    if (value !== undefined) return value
  }
  return undefined
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined // the next way to read it may work
  }
}
