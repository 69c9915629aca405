import { ProviderError } from '../../errors.ts'
import { openInput } from '../../wire/input.ts'
import { connectionLost } from './failure.ts'
import type { TransportSettings } from './settings.ts'
import type { Watch } from './watch.ts'

/** The bytes of a body as they come, under a watch. However reading ends, the body is let go and the watch closed. */
export async function* bytesOf(
  body: ReadableStream<Uint8Array> | null,
  watch: Watch,
  { timeouts }: TransportSettings,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return watch.close()
  const input = openInput(body)
  let ended = false
  try {
    for (;;) {
      const disarm = watch.arm('idle', timeouts.idle)
      const chunk = await watch
        .wait(() => input.read())
        .catch(connectionLost)
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
export async function textOfBody(
  body: ReadableStream<Uint8Array> | null,
  watch: Watch,
  settings: TransportSettings,
  most: number = settings.limits.body,
): Promise<string> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let size = 0
  for await (const bytes of bytesOf(body, watch, settings)) {
    size += bytes.byteLength
    if (size > most) throw tooLarge(most)
    pieces.push(decoder.decode(bytes, { stream: true }))
  }
  return pieces.join('') + decoder.decode()
}

function tooLarge(most: number): ProviderError {
  return new ProviderError(`The answer is longer than ${most} bytes`, {
    kind: 'too-large',
    hint: 'Raise `limits.body` if you trust the provider.',
  })
}
