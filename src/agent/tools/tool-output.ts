import { detectMediaType, toUint8Array } from '../../canonical/build/media.ts'
import { mediaFromBlob, mediaFromBytes, toolResult, type ToolOutput } from '../../canonical/build/parts.ts'
import type { ToolCallPart, ToolResultPart, ToolResultContent } from '../../canonical/model/part.ts'
import { type ErrorCode, InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { rejectOnAbort, iterateUntilAborted } from '../../wire/cancellation.ts'
import { describeType, type Json, MAX_JSON_DEPTH } from '../../wire/json.ts'
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
 * the value it returns, or else the last one it yields. A `Blob` is read, because only its bytes can be sent.
 */
export async function awaitToolOutput(
  returned: unknown,
  reportProgress: (progress: Json) => void,
  signal: AbortSignal,
): Promise<unknown> {
  const output = await rejectOnAbort(Promise.resolve(returned), signal)
  if (!isAsyncIterable(output)) return readBlob(output, signal)
  const values = iterateUntilAborted(output, signal)
  let last: unknown
  try {
    for (;;) {
      const { done, value } = await values.next()
      if (done) return await readBlob(value ?? last, signal)
      if (value !== undefined) reportProgress(toPlainJson(value))
      last = value
    }
  } finally {
    await values.return(undefined)
  }
}

async function readBlob(output: unknown, signal: AbortSignal): Promise<unknown> {
  return output instanceof Blob ? rejectOnAbort(mediaFromBlob(output), signal) : output
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/**
 * Converts the output of a tool to a result. Bytes of a known format become media. Values such as dates and classes
 * with `toJSON` are converted by `JSON.stringify`; an error that is returned rather than thrown is an error result, too.
 */
export function toToolResult(call: ToolCallPart, output: unknown, isError = false): ToolResultPart {
  if (output instanceof Error) return createErrorResult(call, errorMessageOf(output))
  const bytes = toUint8Array(output)
  if (bytes !== undefined && detectMediaType(bytes) !== undefined)
    return toolResult(call, [mediaFromBytes(bytes)], { isError })
  try {
    return toolResult(call, (output ?? null) as ToolOutput, { isError })
  } catch (error) {
    if (!(error instanceof InterlinguaError)) throw error
    const shape = UNWRITABLE_SHAPES[error.code]
    if (shape !== undefined) throw createOutputError(shape)
    if (error.code !== 'not-json') throw error
    return toolResult(call, toPlainJson(output), { isError })
  }
}

/** What JSON cannot express although each of its values is JSON. */
const UNWRITABLE_SHAPES: { readonly [code in ErrorCode]?: string } = {
  cyclic: 'a value that contains itself',
  'too-deep': `more than ${MAX_JSON_DEPTH} levels`,
}

function toPlainJson(value: unknown): Json {
  try {
    return freezeCopy(value as Json)
  } catch {
    const text = JSON.stringify(value, rejectSilentLoss)
    return text === undefined ? throwNotJson(value) : (JSON.parse(text) as Json)
  }
}

/**
 * Rejects values that `JSON.stringify` would silently distort, such as a `Map` (`{}`) or bytes. The receiver has the value
 * before `toJSON`, by which a `Buffer` becomes a list of numbers.
 */
function rejectSilentLoss(this: unknown, key: string, value: unknown): unknown {
  const original = (this as { readonly [key: string]: unknown })[key]
  if (toUint8Array(original) !== undefined) return throwNotJson(original)
  if (typeof value === 'bigint') return throwNotJson(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null
  return isPlain || Object.keys(value).length > 0 ? value : throwNotJson(value)
}

function throwNotJson(value: unknown): never {
  const found = typeof value === 'object' ? `an instance of ${value?.constructor.name}` : describeType(value)
  throw createOutputError(found)
}

function createOutputError(found: string): InterlinguaError {
  return new InterlinguaError('not-json', `The output of the tool cannot be converted to JSON: ${found}`, {
    found,
    expected: 'text, JSON, bytes of a known format, or content parts such as image() and file()',
    hint: 'Return bytes of another format as file({ data, mediaType }).',
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
