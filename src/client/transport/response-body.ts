import { ProviderError } from '../../errors.ts'
import { openByteReader } from '../../wire/byte-source.ts'
import { throwConnectionLost } from './transport-errors.ts'
import type { TransportSettings } from './settings.ts'
import type { TimeoutController } from './timeout-controller.ts'

/** Yields the bytes of a body within the idle timeout; afterwards the body and timeouts are released. */
export async function* readBodyBytes(
  body: ReadableStream<Uint8Array> | null,
  timeoutController: TimeoutController,
  { timeouts }: TransportSettings,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return timeoutController.close()
  const input = openByteReader(body)
  let hasEnded = false
  try {
    for (;;) {
      const cancelTimeout = timeoutController.startTimeout('idleMs', timeouts.idleMs)
      const chunk = await timeoutController
        .waitFor(() => input.read())
        .catch(throwConnectionLost)
        .finally(cancelTimeout)
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
  settings: TransportSettings,
  maxBytes: number = settings.limits.maxBodyBytes,
): Promise<string> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let size = 0
  for await (const bytes of readBodyBytes(body, timeoutController, settings)) {
    size += bytes.byteLength
    if (size > maxBytes) throw bodyTooLargeError(maxBytes)
    pieces.push(decoder.decode(bytes, { stream: true }))
  }
  return pieces.join('') + decoder.decode()
}

function bodyTooLargeError(maxBytes: number): ProviderError {
  return new ProviderError(`The response is larger than ${maxBytes} bytes`, {
    kind: 'too-large',
    hint: 'Raise `limits.maxBodyBytes` if you trust the provider.',
  })
}
