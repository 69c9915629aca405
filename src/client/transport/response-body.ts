import { ProviderError } from '../../errors.ts'
import { openByteReader } from '../../wire/byte-source.ts'
import type { TimeoutController } from './timeout-controller.ts'

/** Yields the bytes of a body within the idle timeout; afterwards the body and timeouts are released. */
export async function* readBodyBytes(
  body: ReadableStream<Uint8Array> | null,
  timeoutController: TimeoutController,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return timeoutController.close()
  const input = openByteReader(body)
  let hasEnded = false
  try {
    for (;;) {
      const chunk = await timeoutController.waitWithin('idleMs', () => input.read())
      hasEnded = chunk.done === true
      if (chunk.done === true) return
      yield chunk.value as Uint8Array
    }
  } finally {
    timeoutController.close()
    // Not awaited: cancelling a body that never arrives may hang, too.
    if (!hasEnded) input.cancel(undefined).catch(() => {})
  }
}

/** Returns a body as text; throws if it is larger than allowed. */
export async function readBodyText(
  body: ReadableStream<Uint8Array> | null,
  timeoutController: TimeoutController,
  maxBytes: number,
): Promise<string> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let size = 0
  for await (const bytes of readBodyBytes(body, timeoutController)) {
    size += bytes.byteLength
    if (size > maxBytes) {
      throw new ProviderError(`The response is larger than ${maxBytes} bytes`, {
        kind: 'too-large',
        hint: 'Raise `limits.maxBodyBytes` if you trust the provider.',
      })
    }
    pieces.push(decoder.decode(bytes, { stream: true }))
  }
  return pieces.join('') + decoder.decode()
}
