import { accumulate } from '../../canonical/stream/accumulate.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { toJson } from '../../canonical/stored/stored.ts'
import { streamOf } from '../../dialects/define.ts'
import { detect } from '../../dialects/detect.ts'
import { encodeStream } from '../../dialects/stream.ts'
import { codecs, dialects } from '../../dialects/translate.ts'
import { InterlinguaError } from '../../errors.ts'
import { isDialect } from '../input/document.ts'
import { headUntil } from '../input/peek.ts'
import { recogniseStream } from '../input/shape.ts'
import { isUnwritable } from '../output-file.ts'
import type { Conversion } from './convert.ts'
import { refuseLosses } from './strict.ts'
import { encodingFor } from './write.ts'

/** A stream tells what it is within its first events. */
const HEAD = 64 * 1024

/** Converts the pieces of one streamed answer as they come; our stored form is the whole answer. */
export async function convertStream(conversion: Conversion): Promise<void> {
  const { terminal, options, source, output, report } = conversion
  const losses: Loss[] = []
  const broken: unknown[] = []
  try {
    const { head, bytes } = await headUntil(source.bytes, (text) => detect(text).length > 0, HEAD)
    const { name } = recogniseStream(head, options)
    if (!isDialect(name)) throw notStreamed(name)
    const events = dialects[name].decodeStream(bytes, { signal: terminal.signal })
    await translate(watched(events, broken), conversion, losses)
    terminal.signal.throwIfAborted()
    await report.converted(losses, true)
    if (broken.length === 0 || options.keepGoing === true) await output.commit()
  } catch (error) {
    terminal.signal.throwIfAborted()
    if (isUnwritable(error)) throw error
    await report.converted(losses, true)
    // What broke the stream is told once, though gathering it fails by it, too.
    if (broken.length === 0) broken.push(error)
  }
  for (const error of broken) await report.fault({ file: source.name, error })
}

async function translate(
  events: AsyncIterable<ChatEvent>,
  { options, output }: Conversion,
  losses: Loss[],
): Promise<void> {
  const { to } = options
  if (!isDialect(to)) {
    const response = await accumulate(events)
    await output.write(`${JSON.stringify(toJson(response), null, 2)}\n`)
    return
  }
  const hear = (loss: Loss): void => {
    losses.push(loss)
    refuseLosses([loss], options)
  }
  for await (const piece of encodeStream(streamOf(codecs[to]), events, encodingFor(options), hear)) {
    await output.write(piece)
  }
}

/** The same events; where the stream broke is noted. */
async function* watched(
  events: AsyncIterable<ChatEvent>,
  broken: unknown[],
): AsyncGenerator<ChatEvent, void, undefined> {
  for await (const event of events) {
    if (event.type === 'error') broken.push(event.error)
    yield event
  }
}

function notStreamed(name: string): InterlinguaError {
  return new InterlinguaError('wrong-kind', `${name} has no streams`, {
    found: name,
    expected: 'the name of a wire format',
    hint: 'Leave --kind out, or say the format of the stream with --from.',
  })
}
