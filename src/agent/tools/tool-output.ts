import { toolResult, type ToolOutput } from '../../canonical/build/parts.ts'
import type { ToolCallPart, ToolResultPart, ToolResultContent } from '../../canonical/model/part.ts'
import { InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { rejectOnAbort, iterateUntilAborted } from '../../wire/cancellation.ts'
import { describeType, type Json } from '../../wire/json.ts'
import { errorMessageOf } from '../error-message.ts'
import { textOf } from '../../canonical/read/message-content.ts'

/** Thrown by a tool that fails with more to say than words. */
export class ToolFailure extends Error {
  readonly #content: readonly ToolResultContent[]

  constructor(content: readonly ToolResultContent[]) {
    super(textOf(content, '\n'))
    this.#content = content
  }

  /** What was thrown has to say, if it is one of these. Unlike `instanceof`, this runs no code of what was thrown. */
  static contentOf(thrown: unknown): readonly ToolResultContent[] {
    return typeof thrown === 'object' && thrown !== null && #content in thrown ? thrown.#content : []
  }
}

/** What a tool gave, waited for: progress is told on, and the last word of an iterable is its result. */
export async function awaitToolOutput(
  given: unknown,
  progress: (progress: Json) => void,
  signal: AbortSignal,
): Promise<unknown> {
  const output = await rejectOnAbort(Promise.resolve(given), signal)
  if (!isAsyncIterable(output)) return output
  const values = iterateUntilAborted(output, signal)
  let last: unknown
  try {
    for (;;) {
      const { done, value } = await values.next()
      if (done) return value ?? last
      if (value !== undefined) progress(toPlainJson(value))
      last = value
    }
  } finally {
    await values.return(undefined)
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/**
 * A result of whatever a tool gave. What only `JSON.stringify` can say (dates, classes with `toJSON`) is said its way; an
 * error that is given rather than thrown is one all the same.
 */
export function toToolResult(call: ToolCallPart, output: unknown, isError = false): ToolResultPart {
  if (output instanceof Error) return createErrorResult(call, errorMessageOf(output))
  try {
    return toolResult(call, (output ?? null) as ToolOutput, { isError })
  } catch (error) {
    if (!(error instanceof InterlinguaError) || error.code !== 'not-json') throw error
    return toolResult(call, toPlainJson(output), { isError })
  }
}

function toPlainJson(value: unknown): Json {
  try {
    return freezeCopy(value as Json)
  } catch {
    const text = JSON.stringify(value, rejectSilentLoss)
    return text === undefined ? throwNotJson(value) : (JSON.parse(text) as Json)
  }
}

/** Refuses what JSON would pass over in silence: a `Map` as `{}`, bytes as numbered properties. */
function rejectSilentLoss(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return throwNotJson(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  const plain = prototype === Object.prototype || prototype === null
  return plain || (Object.keys(value).length > 0 && !ArrayBuffer.isView(value)) ? value : throwNotJson(value)
}

function throwNotJson(value: unknown): never {
  const found = typeof value === 'object' ? `an instance of ${value?.constructor.name}` : describeType(value)
  throw new InterlinguaError('not-json', `What the tool gave cannot be said as JSON: ${found}`, {
    found,
    expected: 'text, JSON, or parts such as those of image() and file()',
  })
}

/** The result of a call that failed: the model is told why, and can do better. */
export function createErrorResult(call: ToolCallPart, message: string): ToolResultPart {
  return toolResult(call, message, { isError: true })
}
