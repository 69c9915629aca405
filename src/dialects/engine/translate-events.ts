import { assertByteSource, type ByteSource } from '../../wire/byte-source.ts'
import { openReader } from '../../wire/iterable-source.ts'
import { PullIterator } from '../../wire/pull-iterator.ts'
import { chainTransforms } from '../../wire/chain-transforms.ts'
import type { DecodeOptions, EncodedStream, EncodeOptions } from './dialect.ts'
import { createDecodeStages, type StreamCodec } from './stream-codec.ts'
import { createStreamEncoder } from './stream-encoder.ts'

/** Decodes the stream of one dialect and encodes it for another. Nothing reads the events between, so one iterator does both. */
export function translateEvents(
  source: ByteSource,
  from: StreamCodec,
  to: StreamCodec,
  options: DecodeOptions & EncodeOptions,
): EncodedStream {
  assertByteSource(source)
  const { createParser, transform: decoder } = createDecodeStages(from, options)
  const { transform: encoder, onClose, losses } = createStreamEncoder(to, options)
  const body = new PullIterator({
    open: () => openReader(source),
    ...chainTransforms(createParser, decoder, encoder),
    signal: options.signal,
    onClose,
  })
  return { body, losses, [Symbol.asyncIterator]: () => body }
}
