import { toolResult, type ToolOutput } from '../../canonical/build/parts.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { InterlinguaError } from '../../errors.ts'
import { frozenCopy } from '../../wire/frozen.ts'
import type { Json } from '../../wire/json.ts'
import { abortable, abortableValues } from '../../wire/abort.ts'

/** What a tool gave, waited for: progress is told on, and the last word of an iterable is its result. */
export async function outputOf(
  given: unknown,
  progress: (progress: Json) => void,
  signal: AbortSignal,
): Promise<unknown> {
  const output = await abortable(Promise.resolve(given), signal)
  if (!isAsyncIterable(output)) return output
  const values = abortableValues(output, signal)
  let last: unknown
  for (;;) {
    const { done, value } = await values.next()
    if (done) return value ?? last
    if (value !== undefined) progress(asJson(value))
    last = value
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** A result of whatever a tool gave. What only `JSON.stringify` can say (dates, classes with `toJSON`) is said its way. */
export function resultOf(call: ToolCallPart, output: unknown, isError = false): ToolResultPart {
  try {
    return toolResult(call, (output ?? null) as ToolOutput, { isError })
  } catch (error) {
    if (!(error instanceof InterlinguaError) || error.code !== 'not-json') throw error
    return toolResult(call, asJson(output), { isError })
  }
}

function asJson(value: unknown): Json {
  try {
    return frozenCopy(value as Json)
  } catch {
    return (JSON.parse(JSON.stringify(value) ?? 'null') as Json) ?? null
  }
}

/** The result of a call that failed: the model is told why, and can do better. */
export function errorResult(call: ToolCallPart, message: string): ToolResultPart {
  return toolResult(call, message, { isError: true })
}

/** What went wrong, in words. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message === '' ? 'The tool failed and did not say why.' : message
}
