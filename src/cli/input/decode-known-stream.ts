import type { ChatEvent } from '../../canonical/model/event.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { knownDialects } from '../registry.ts'
import { InterlinguaError, ProviderError } from '../../errors.ts'
import type { ByteChunks } from './bytes-to-text.ts'

/**
 * Decodes a stream. Throws if it fails without any event of the dialect: decoders preserve unknown events as
 * opaque ones, so any input would become an incomplete response. Until the first known event, nothing is yielded.
 */
export async function* decodeKnownStream(
  name: DialectName,
  bytes: ByteChunks,
  signal?: AbortSignal,
): AsyncGenerator<ChatEvent, void, undefined> {
  const unknown: ChatEvent[] = []
  let isKnown = false
  for await (const event of knownDialects[name].decodeStream(bytes, signal === undefined ? {} : { signal })) {
    if (!isKnown && event.type === 'opaque') {
      unknown.push(event)
      continue
    }
    if (!isKnown && event.type === 'error' && !(event.error instanceof ProviderError))
      throw isCut(event.error) ? notAStreamError(name) : event.error
    if (!isKnown) yield* unknown
    isKnown = true
    yield event
  }
}

function isCut(error: unknown): boolean {
  return error instanceof InterlinguaError && error.code === 'stream-cut'
}

function notAStreamError(name: DialectName): InterlinguaError {
  const found = 'no event of that format'
  return new InterlinguaError('invalid-stream', `The input is not a stream of ${name}: found ${found}`, {
    found,
    expected: `a streamed response of ${name}`,
    hint: 'Check the program or file that the input comes from, and --from.',
  })
}
