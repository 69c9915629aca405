import { InterlinguaError } from '../errors.ts'
import { describeType } from './json.ts'
import { resolveStreamLimits, type StreamLimits, createLimitError } from './stream-limits.ts'

/** Parses a stream that is pushed in chunks, and passes what it parsed to the callback of its factory. */
export interface StreamParser {
  /** Parses the next chunk, which may be split anywhere. After an error, the same error is thrown again. */
  readonly push: (chunk: Uint8Array | string) => void
  /** Ends the stream. */
  readonly end: () => void
}

const BYTE_ORDER_MARK = 0xfeff
const MAX_ASCII_CODE = 0x7f
const CONTINUED = { stream: true } as const

/** The size in which long chunks are decoded, so that a limit is detected before the complete chunk is copied. */
const SLICE_BYTES = 1024 * 1024

/**
 * Creates a reader that decodes bytes, split anywhere, even inside a character, and passes text on unchanged.
 * A byte order mark at the start is dropped. The stream is limited to `limits.maxTotalChars`; the text within
 * the limit is passed on before the error.
 *
 * @example
 * const reader = createUtf8Reader((text) => console.log(text))
 * reader.push(Uint8Array.of(0xc3))
 * reader.push(Uint8Array.of(0xa4)) // ä
 */
export function createUtf8Reader(onText: (text: string) => void, limits?: StreamLimits): StreamParser {
  const maxChars = resolveStreamLimits(limits).maxTotalChars
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let totalChars = 0
  let hasUndecodedBytes = false

  function emit(text: string): void {
    if (text === '') return
    const start = totalChars === 0 && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
    const remainingChars = maxChars - totalChars
    totalChars += text.length
    onText(
      start === 0 && text.length <= remainingChars
        ? text
        : text.slice(start, Math.max(start, remainingChars)),
    )
    if (text.length > remainingChars) throw createLimitError('stream-too-large', maxChars)
  }

  function flush(): void {
    if (hasUndecodedBytes) emit(decoder.decode())
    hasUndecodedBytes = false
  }

  function push(chunk: Uint8Array | string): void {
    if (typeof chunk === 'string') {
      flush()
      emit(chunk)
      return
    }
    if (!ArrayBuffer.isView(chunk)) throw createChunkError(chunk)
    if (chunk.length === 0) return
    const isStart = !hasUndecodedBytes
    // An ASCII character completes all characters before it. A decoder is faster if it need not keep bytes.
    hasUndecodedBytes = (chunk[chunk.length - 1] ?? 0) > MAX_ASCII_CODE
    if (isStart && !hasUndecodedBytes && chunk.length <= SLICE_BYTES) {
      emit(decoder.decode(chunk))
      return
    }
    for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
      emit(decoder.decode(chunk.subarray(start, start + SLICE_BYTES), CONTINUED))
    }
  }

  return rethrowFirstError({ push, end: flush })
}

/**
 * Throws the first error again on each later call: the state after an error is undefined, and a caller that
 * continues would receive incomplete values.
 */
export function rethrowFirstError({ push, end }: StreamParser): StreamParser {
  let failure: { readonly error: unknown } | undefined
  const runOnce =
    <Args extends readonly unknown[]>(action: (...args: Args) => void) =>
    (...args: Args): void => {
      if (failure !== undefined) throw failure.error
      try {
        action(...args)
      } catch (error) {
        failure = { error }
        throw error
      }
    }
  return { push: runOnce(push), end: runOnce(end) }
}

function createChunkError(chunk: never): InterlinguaError {
  const found = describeType(chunk)
  return new InterlinguaError('invalid-type', `A chunk of the stream is ${found}`, {
    found,
    expected: 'bytes (Uint8Array) or text',
    hint: 'Pass the body of a response, or an iterable of bytes or text.',
  })
}
