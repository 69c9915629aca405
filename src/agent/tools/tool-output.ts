import { toolResult, type ToolOutput } from '../../canonical/build/parts.ts'
import type { ToolCallPart, ToolResultPart, ToolResultContent } from '../../canonical/model/part.ts'
import { InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { rejectOnAbort, iterateUntilAborted } from '../../wire/cancellation.ts'
import { describeType, type Json } from '../../wire/json.ts'
import { errorMessageOf } from '../error-message.ts'
import { textOf } from '../../canonical/read/message-content.ts'

/** Thrown by a tool whose error result has content parts instead of a message. */
export class ToolFailure extends Error {
  readonly #content: readonly ToolResultContent[]

  constructor(content: readonly ToolResultContent[]) {
    super(textOf(content, '\n'))
    this.#content = content
  }

  /** Returns the content of a {@link ToolFailure}. Unlike `instanceof`, it executes no code of `thrown`. */
  static contentOf(thrown: unknown): readonly ToolResultContent[] {
    return typeof thrown === 'object' && thrown !== null && #content in thrown ? thrown.#content : []
  }
}

/**
 * Awaits the output of a tool. Values that an async iterable yields are reported as progress; its result is
 * the value it returns, or else the last one it yields.
 */
export async function awaitToolOutput(
  returned: unknown,
  reportProgress: (progress: Json) => void,
  signal: AbortSignal,
): Promise<unknown> {
  const output = await rejectOnAbort(Promise.resolve(returned), signal)
  if (!isAsyncIterable(output)) return output
  const values = iterateUntilAborted(output, signal)
  let last: unknown
  try {
    for (;;) {
      const { done, value } = await values.next()
      if (done) return value ?? last
      if (value !== undefined) reportProgress(toPlainJson(value))
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
 * Converts the output of a tool to a result. Values such as dates and classes with `toJSON` are converted by
 * `JSON.stringify`; an error that is returned rather than thrown is an error result, too.
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

/** Rejects values that `JSON.stringify` would silently distort, such as a `Map` (`{}`) or bytes. */
function rejectSilentLoss(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return throwNotJson(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null
  return isPlain || (Object.keys(value).length > 0 && !ArrayBuffer.isView(value))
    ? value
    : throwNotJson(value)
}

function throwNotJson(value: unknown): never {
  const found = typeof value === 'object' ? `an instance of ${value?.constructor.name}` : describeType(value)
  throw new InterlinguaError('not-json', `The output of the tool cannot be converted to JSON: ${found}`, {
    found,
    expected: 'text, JSON, or content parts such as image() and file()',
  })
}

/** Returns an error result, whose message helps the model to correct itself. */
export function createErrorResult(call: ToolCallPart, message: string): ToolResultPart {
  return toolResult(call, message, { isError: true })
}

/** Returns the error result of a thrown value. */
export function toFailureResult(call: ToolCallPart, thrown: unknown): ToolResultPart {
  const content = ToolFailure.contentOf(thrown)
  return toToolResult(call, content.length > 0 ? content : errorMessageOf(thrown), true)
}

/** Returns the error result of a call whose run was aborted. */
export function createAbortedResult(call: ToolCallPart): ToolResultPart {
  return createErrorResult(call, 'The run was aborted before this call had a result.')
}
