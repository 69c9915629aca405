import { InterlinguaError, ProviderError } from '../../errors.ts'
import { concatBytes } from '../../wire/byte-source.ts'
import { openReader, throwFailure } from '../../wire/iterable-source.ts'
import { PullIterator } from '../../wire/pull-iterator.ts'
import type { CallbackReader } from '../../wire/pull-stages.ts'
import type { TimeoutController } from './timeout-controller.ts'

/** Iterates over the bytes of a body within the idle timeout; afterwards the body and timeouts are released. */
export function readBodyBytes(
  body: ReadableStream<Uint8Array> | null,
  timeoutController: TimeoutController,
): AsyncIterableIterator<Uint8Array> {
  const open = (): CallbackReader<Uint8Array> => {
    const input = openReader(body ?? [])
    // Not awaited: cancelling a body that never arrives may hang, too.
    const cancel = async (): Promise<void> => void input.cancel(undefined).catch(() => {})
    return {
      request: (receive, fail) =>
        timeoutController.readChunk(input, receive, (error) => {
          // An abort ends the waiting, and not the body.
          void cancel()
          fail(error)
        }),
      cancel,
    }
  }
  return new PullIterator<Uint8Array, Uint8Array, Uint8Array>({
    open,
    createParser: (onValue) => ({ push: onValue, end: () => {} }),
    transform: { read: (chunk) => [chunk], end: throwFailure },
    onClose: () => timeoutController.close(),
  })
}

/** Enough for the head of a web page. */
const MAX_EXCERPT_BYTES = 20_000

/** Returns the beginning of a body as text, and cancels the rest; a failure ends it. */
export async function readBodyStart(
  body: ReadableStream<Uint8Array> | null,
  timeoutController: TimeoutController,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of readBodyBytes(body, timeoutController)) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length >= MAX_EXCERPT_BYTES) break
    }
  } catch (error) {
    if (error instanceof InterlinguaError && error.code === 'aborted') throw error
  }
  return text
}

/** Returns a body as text; throws if it is larger than allowed. */
export async function readResponseText(
  body: ReadableStream<Uint8Array> | null,
  timeoutController: TimeoutController,
  maxBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const bytes of readBodyBytes(body, timeoutController)) {
    size += bytes.byteLength
    if (size > maxBytes) {
      throw new ProviderError(`The response is larger than ${maxBytes} bytes`, {
        kind: 'too-large',
        hint: 'Raise `limits.maxBodyBytes` if you trust the provider.',
      })
    }
    chunks.push(bytes)
  }
  // Decoded at once: a decoder that waits for the rest of a character needs twice the time.
  return new TextDecoder().decode(concatBytes(chunks))
}
