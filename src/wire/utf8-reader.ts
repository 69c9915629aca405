import { InterlinguaError } from '../errors.ts'
import { describeType } from './json.ts'
import { resolveLimits, type StreamLimits, createLimitError } from './limits.ts'

/** A parser that is fed as the stream comes; what it finds it gives to the callback it was made with. */
export interface StreamParser {
  /** Takes the next piece, cut anywhere. After an error it throws the same one again. */
  readonly push: (chunk: Uint8Array | string) => void
  /** Says that nothing more comes. */
  readonly end: () => void
}

const BYTE_ORDER_MARK = 0xfeff

/** Long chunks are decoded by the piece, so that a limit is met before all of it is copied. */
const SLICE_BYTES = 1024 * 1024

/**
 * Makes text of bytes, cut anywhere, inside a character too; text goes through as it is. A byte order mark at the start
 * is dropped, and the whole is limited to `limits.total`: what fits is given before the error, however it was cut.
 *
 * @example
 * const reader = createUtf8Reader((text) => console.log(text))
 * reader.push(Uint8Array.of(0xc3))
 * reader.push(Uint8Array.of(0xa4)) // ä
 */
export function createUtf8Reader(onText: (text: string) => void, limits?: StreamLimits): StreamParser {
  const max = resolveLimits(limits).maxTotalChars
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let total = 0
  let undecoded = false

  function give(text: string): void {
    if (text === '') return
    const start = total === 0 && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
    const room = max - total
    total += text.length
    onText(start === 0 && text.length <= room ? text : text.slice(start, Math.max(start, room)))
    if (text.length > room) throw createLimitError('stream-too-large', max)
  }

  function flush(): void {
    if (undecoded) give(decoder.decode())
    undecoded = false
  }

  function push(chunk: Uint8Array | string): void {
    if (typeof chunk === 'string') {
      flush()
      give(chunk)
      return
    }
    if (!ArrayBuffer.isView(chunk)) throw createChunkError(chunk)
    undecoded = true
    for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
      give(decoder.decode(chunk.subarray(start, start + SLICE_BYTES), { stream: true }))
    }
  }

  return rethrowFirstError({ push, end: flush })
}

/** After an error the state is anyone's guess: it stays an error, or a caller who goes on would get half of something. */
function rethrowFirstError({ push, end }: StreamParser): StreamParser {
  let failure: { readonly error: unknown } | undefined
  function run(act: () => void): void {
    if (failure !== undefined) throw failure.error
    try {
      act()
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  return { push: (chunk) => run(() => push(chunk)), end: () => run(end) }
}

function createChunkError(chunk: never): InterlinguaError {
  const found = describeType(chunk)
  return new InterlinguaError('invalid-type', `A chunk of the stream is ${found}`, {
    found,
    expected: 'bytes (Uint8Array) or text',
    hint: 'Give the parser the body of a response, or an iterable of bytes or text.',
  })
}
