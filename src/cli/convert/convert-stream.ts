import { accumulate } from '../../canonical/stream/accumulate.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { toJson } from '../../canonical/stored/stored-form.ts'
import { getStreamCodec } from '../../dialects/engine/define-dialect.ts'
import { detectInput, knownDialects } from '../registry.ts'
import { encodeStreamBytes } from '../../dialects/engine/stream-encoder.ts'
import { InterlinguaError } from '../../errors.ts'
import { isDialectName } from '../input/input-format-names.ts'
import { decodeKnownStream } from '../input/input-document.ts'
import { peekUntil } from '../input/peek-input.ts'
import { detectStreamFormat } from '../input/input-layout.ts'
import { isUnwritableFileError } from '../output-file.ts'
import { throwOnStrictLoss, toEncodeOptions } from './encode-input-document.ts'
import type { ConversionContext } from './conversion-context.ts'

/** Number of characters within which a stream's format must be detectable. */
const MAX_HEAD_CHARACTERS = 64 * 1024

/** Converts one streamed response chunk by chunk, or accumulated for the stored format. */
export async function convertStream(conversion: ConversionContext): Promise<void> {
  const { terminal, options, source, output, report } = conversion
  const losses: Loss[] = []
  const streamErrors: unknown[] = []
  try {
    const isDetected = (text: string): boolean => detectInput(text).length > 0
    const { head, bytes } = await peekUntil(source.bytes, isDetected, MAX_HEAD_CHARACTERS)
    const { name } = detectStreamFormat(head, options)
    if (!isDialectName(name)) throw notStreamedError(name)
    const events = decodeKnownStream(name, bytes, terminal.signal)
    await writeTranslatedStream(collectErrors(events, streamErrors), conversion, losses)
    terminal.signal.throwIfAborted()
    await report.addConverted(losses)
    if (streamErrors.length === 0 || options.keepGoing === true) await output.commit()
  } catch (error) {
    terminal.signal.throwIfAborted()
    if (isUnwritableFileError(error)) throw error
    await report.addConverted(losses)
    // A stream error also makes `accumulate` fail; it is reported once.
    if (streamErrors.length === 0) streamErrors.push(error)
  }
  for (const error of streamErrors) await report.addFault({ file: source.name }, error)
}

async function writeTranslatedStream(
  events: AsyncIterable<ChatEvent>,
  { options, output }: ConversionContext,
  losses: Loss[],
): Promise<void> {
  const { to } = options
  if (!isDialectName(to)) {
    const response = await accumulate(events)
    await output.write(`${JSON.stringify(toJson(response), null, 2)}\n`)
    return
  }
  const onLoss = (loss: Loss): void => {
    losses.push(loss)
    throwOnStrictLoss([loss], options)
  }
  const codec = getStreamCodec(knownDialects[to])
  for await (const piece of encodeStreamBytes(codec, events, toEncodeOptions(options), onLoss))
    await output.write(piece)
}

async function* collectErrors(
  events: AsyncIterable<ChatEvent>,
  errors: unknown[],
): AsyncGenerator<ChatEvent> {
  for await (const event of events) {
    if (event.type === 'error') errors.push(event.error)
    yield event
  }
}

function notStreamedError(name: string): InterlinguaError {
  return new InterlinguaError('wrong-kind', `The format ${name} has no streams`, {
    found: name,
    expected: 'the name of a dialect',
    hint: 'Omit --kind, or set --from to the dialect of the stream.',
  })
}
