import { accumulate } from '../../canonical/stream/accumulate.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { toJson } from '../../canonical/stored/stored-form.ts'
import { getStreamCodec } from '../../dialects/engine/define-dialect.ts'
import { detect } from '../../dialects/engine/detect.ts'
import { encodeStream } from '../../dialects/engine/stream.ts'
import { dialectCodecs, dialects } from '../../dialects/dialects.ts'
import { InterlinguaError } from '../../errors.ts'
import { isDialectName } from '../input/document.ts'
import { peekUntil } from '../input/peek.ts'
import { detectStreamFormat } from '../input/layout.ts'
import { isUnwritableFileError } from '../output-file.ts'
import type { Conversion } from './command.ts'
import { refuseLosses, toEncodeOptions } from './conversion.ts'

/** A stream tells what it is within its first events. */
const MAX_HEAD_CHARACTERS = 64 * 1024

/** Converts the pieces of one streamed answer as they come; our stored form is the whole answer. */
export async function convertStream(conversion: Conversion): Promise<void> {
  const { terminal, options, source, output, report } = conversion
  const losses: Loss[] = []
  const broken: unknown[] = []
  try {
    const { head, bytes } = await peekUntil(
      source.bytes,
      (text) => detect(text).length > 0,
      MAX_HEAD_CHARACTERS,
    )
    const { name } = detectStreamFormat(head, options)
    if (!isDialectName(name)) throw notStreamedError(name)
    const events = dialects[name].decodeStream(bytes, { signal: terminal.signal })
    await writeTranslatedStream(collectErrors(events, broken), conversion, losses)
    terminal.signal.throwIfAborted()
    await report.addConverted(losses, true)
    if (broken.length === 0 || options.keepGoing === true) await output.commit()
  } catch (error) {
    terminal.signal.throwIfAborted()
    if (isUnwritableFileError(error)) throw error
    await report.addConverted(losses, true)
    // What broke the stream is told once, though gathering it fails by it, too.
    if (broken.length === 0) broken.push(error)
  }
  for (const error of broken) await report.addFault({ file: source.name, error })
}

async function writeTranslatedStream(
  events: AsyncIterable<ChatEvent>,
  { options, output }: Conversion,
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
    refuseLosses([loss], options)
  }
  for await (const piece of encodeStream(
    getStreamCodec(dialectCodecs[to]),
    events,
    toEncodeOptions(options),
    onLoss,
  )) {
    await output.write(piece)
  }
}

/** The same events; where the stream broke is noted. */
async function* collectErrors(
  events: AsyncIterable<ChatEvent>,
  broken: unknown[],
): AsyncGenerator<ChatEvent, void, undefined> {
  for await (const event of events) {
    if (event.type === 'error') broken.push(event.error)
    yield event
  }
}

function notStreamedError(name: string): InterlinguaError {
  return new InterlinguaError('wrong-kind', `${name} has no streams`, {
    found: name,
    expected: 'the name of a wire format',
    hint: 'Leave --kind out, or say the format of the stream with --from.',
  })
}
