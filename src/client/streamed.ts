import type { ChatEvent } from '../canonical/model/event.ts'
import { emit } from '../canonical/stream/emit.ts'
import type { DecodeOptions, DialectName } from '../dialects/dialect.ts'
import { codecs, dialects } from '../dialects/translate.ts'
import { type InterlinguaError, ProviderError } from '../errors.ts'
import { asFailure, notFromProvider } from './transport/failure.ts'
import { attributeEvent, type Maker } from './origin.ts'
import type { TransportSettings } from './transport/settings.ts'
import type { Answer } from './transport/transport.ts'

/** How the events of an answer are read. */
export interface Reading {
  readonly dialect: DialectName
  readonly decoding: DecodeOptions
  readonly maker: Maker
  /** Told the text of the stream as it comes. */
  readonly onText?: (text: string) => void
}

/**
 * The events of a streamed answer, once the first one has come: until then the attempt may fail and be made again, and
 * nobody has seen anything of it.
 */
export async function openEvents(
  answer: Answer,
  { timeouts }: TransportSettings,
  reading: Reading,
): Promise<AsyncIterable<ChatEvent>> {
  if (isPage(answer)) throw notFromProvider('a web page')
  const disarm = answer.watch.arm('firstEvent', timeouts.firstEvent)
  const events = isWhole(answer) ? await wholeEvents(answer, reading) : decoded(answer, reading)
  const iterator = events[Symbol.asyncIterator]()
  const first = await iterator.next()
  disarm()
  // An error ends its stream: nothing is left to be closed.
  if (first.done !== true && first.value.type === 'error') throw first.value.error
  return follow(first, iterator, answer, reading.maker)
}

async function* follow(
  first: IteratorResult<ChatEvent, unknown>,
  iterator: AsyncIterator<ChatEvent>,
  { party }: Answer,
  maker: Maker,
): AsyncGenerator<ChatEvent, void, undefined> {
  let finished = false
  try {
    for (let next = first; next.done !== true; next = await iterator.next()) {
      const event = next.value
      finished ||= event.type === 'finish'
      if (event.type !== 'error') yield attributeEvent(event, maker)
      else {
        const error = asFailure(event.error, party)
        // An answer that says why it ended is whole: what breaks behind it takes nothing away.
        if (!(finished && isBroken(error))) yield { type: 'error', error }
        return
      }
    }
  } finally {
    await iterator.return?.()
  }
}

function isBroken(error: InterlinguaError): boolean {
  return error instanceof ProviderError && (error.kind === 'network' || error.kind === 'timeout')
}

function decoded(answer: Answer, { dialect, decoding, onText }: Reading): AsyncIterable<ChatEvent> {
  const bytes = answer.bytes()
  const source = onText === undefined ? bytes : overheard(bytes, onText)
  return dialects[dialect].decodeStream(source, { ...decoding, exact: false })
}

async function* overheard(
  bytes: AsyncIterable<Uint8Array>,
  onText: (text: string) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    onText(decoder.decode(chunk, { stream: true }))
    yield chunk
  }
  onText(decoder.decode())
}

/** What stands between us and the provider may answer in its place: a proxy, or a network that wants to be logged in to. */
function isPage({ headers }: Answer): boolean {
  return /^text\/html\b/i.test(headers.get('content-type') ?? '')
}

/** Some hosts answer a stream that failed, or that they do not know how to make, with one JSON body. */
function isWhole({ headers }: Answer): boolean {
  return /^application\/json\b/i.test(headers.get('content-type') ?? '')
}

async function wholeEvents(
  answer: Answer,
  { dialect, decoding, onText }: Reading,
): Promise<AsyncIterable<ChatEvent>> {
  const text = await answer.text()
  onText?.(text)
  const json = parsed(text)
  // Several payloads under a wrong name.
  if (json === undefined || Array.isArray(json))
    return dialects[dialect].decodeStream(oneChunk(text), { ...decoding, exact: false })
  const error = codecs[dialect].stream.readError(json)
  if (error !== undefined) throw error
  return eventsOf(emit(dialects[dialect].decodeResponse(json, decoding).value))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function* oneChunk(text: string): AsyncGenerator<string, void, undefined> {
  yield text
}

async function* eventsOf(events: readonly ChatEvent[]): AsyncGenerator<ChatEvent, void, undefined> {
  yield* events
}
