import { ProviderError } from '../../errors.ts'
import { openByteReader } from '../../wire/byte-source.ts'
import { throwConnectionLost } from './transport-errors.ts'
import type { TransportSettings } from './settings.ts'
import type { TimeoutController } from './timeout-controller.ts'

/** The bytes of a body as they come, under a watch. However reading ends, the body is let go and the watch closed. */
export async function* readBodyBytes(
  body: ReadableStream<Uint8Array> | null,
  watch: TimeoutController,
  { timeouts }: TransportSettings,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return watch.close()
  const input = openByteReader(body)
  let ended = false
  try {
    for (;;) {
      const disarm = watch.startTimeout('idleMs', timeouts.idleMs)
      const chunk = await watch
        .waitFor(() => input.read())
        .catch(throwConnectionLost)
        .finally(disarm)
      ended = chunk.done === true
      if (chunk.done === true) return
      yield chunk.value as Uint8Array
    }
  } finally {
    watch.close()
    // Those who wait for a body that never comes would wait here, too.
    if (!ended) input.cancel(undefined).catch(() => {})
  }
}

/** The whole of a body as text, as long as it is not larger than allowed. */
export async function readBodyText(
  body: ReadableStream<Uint8Array> | null,
  watch: TimeoutController,
  settings: TransportSettings,
  maxBytes: number = settings.limits.maxBodyBytes,
): Promise<string> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let size = 0
  for await (const bytes of readBodyBytes(body, watch, settings)) {
    size += bytes.byteLength
    if (size > maxBytes) throw bodyTooLargeError(maxBytes)
    pieces.push(decoder.decode(bytes, { stream: true }))
  }
  return pieces.join('') + decoder.decode()
}

function bodyTooLargeError(most: number): ProviderError {
  return new ProviderError(`The answer is longer than ${most} bytes`, {
    kind: 'too-large',
    hint: 'Raise `limits.maxBodyBytes` if you trust the provider.',
  })
}
