import {
  accumulate,
  type AssistantMessage,
  type AssistantPart,
  type ChatEvent,
  type ChatResponse,
  type Citation,
  type DialectName,
  dialects,
  type EncodeOptions,
  type JsonObject,
  type Loss,
  reasoning,
  StreamError,
  toolCall,
  toolResult,
  textOf,
} from 'interlingua'
import { getStreamCodec } from '../../src/dialects/engine/define-dialect.ts'
import { encodeStream } from '../../src/dialects/engine/stream.ts'
import { dialectCodecs } from '../../src/dialects/dialects.ts'
import { expect } from 'vitest'
import { expectSame } from '../law-assertions.ts'
import { bare } from './json-leaves.ts'

export type StreamName = DialectName

export const streamNames: readonly StreamName[] = Object.keys(dialects) as StreamName[]

const search = toolCall({
  id: 'srv_1',
  name: 'web_search',
  arguments: { query: 'x' },
  executedBy: 'provider',
})

/** A thought, a call that the provider ran, and what it gave. */
export const searched: readonly AssistantPart[] = [reasoning('Hm.'), search, toolResult(search, { hits: 1 })]

export const identity = { newId: (prefix: string): string => `${prefix}_1`, now: (): number => 0 }

/** The bytes of a stream as one text, and everything that it could not say. */
export async function told(
  name: StreamName,
  events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
  options: EncodeOptions = {},
): Promise<{ readonly text: string; readonly losses: readonly Loss[] }> {
  const losses: Loss[] = []
  const codec = getStreamCodec(dialectCodecs[name])
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of encodeStream(codec, events, { now: () => 0, ...options }, (loss) =>
    losses.push(loss),
  ))
    text += decoder.decode(bytes, { stream: true })
  return { text, losses }
}

/** Texts that should be JSON, one payload each, framed as the format frames its payloads. */
export function framedTexts(name: StreamName, texts: readonly string[]): string {
  const frame = dialectCodecs[name].stream.framing.write({})
  return texts.map((text) => frame.replace('{}', () => text)).join('')
}

/** Payloads, framed as the format frames them. */
export function framed(name: StreamName, wires: readonly unknown[]): string {
  return wires.map((wire) => dialectCodecs[name].stream.framing.write(wire as JsonObject)).join('')
}

/** A source of one piece. */
export async function* source(text: string): AsyncGenerator<string> {
  yield text
}

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}

/** What an answer says, without what one format keeps beside its fields, and without ids that nobody sent. */
export function canonical(response: ChatResponse, name: StreamName): object {
  const { candidates, ...rest } = bare(JSON.parse(JSON.stringify(response)) as ChatResponse)
  return {
    ...rest,
    candidates: candidates.map(({ id: _id, content, ...message }: AssistantMessage) => ({
      ...message,
      content: shapes[name](content),
    })),
  }
}

/**
 * What the stream of a format says otherwise than its whole answer, and why:
 * - openai-chat, ollama: a whole answer has one text, one refusal, and its calls after them. A stream tells them in the order
 *   in which the model made them, and that is kept, so that both are brought into the order of the whole. Chunks have no
 *   place for citations.
 * - gemini: nothing stands between two texts of a stream, so that those that follow each other are one, and empty ones are
 *   not heard.
 * - anthropic: a whole answer has arguments as data. A stream has their text, and its spelling is kept, also where it is not
 *   JSON at all.
 */
const shapes: { readonly [name in StreamName]: (parts: readonly AssistantPart[]) => unknown } = {
  'openai-chat': (parts) => sorted(parts, ['reasoning', 'text', 'refusal'], ['text', 'refusal']),
  'openai-responses': (parts) => parts,
  anthropic: (parts) => parts.map(withoutSpelling),
  gemini: runs,
  ollama: (parts) => sorted(parts, ['reasoning', 'image', 'text'], ['reasoning', 'text']),
}

/** Parts in the order of their types, and those of the types that are told as one joined; calls stand last. */
function sorted(
  parts: readonly AssistantPart[],
  order: readonly AssistantPart['type'][],
  joined: readonly AssistantPart['type'][],
): readonly unknown[] {
  const ranked = order.flatMap((type): unknown[] => {
    const same = parts.filter((part) => part.type === type)
    if (!joined.includes(type)) return same
    const text = same.map((part) => ('text' in part ? part.text : '')).join('')
    return same.length === 0 ? [] : [{ type, text }]
  })
  return [...ranked, ...parts.filter(({ type }) => !order.includes(type)).map(withoutMadeId)]
}

/** Parts with texts and thoughts joined that follow each other, unless a signature keeps them apart. */
function runs(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const joined: AssistantPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    const spoken = (part.type === 'text' || part.type === 'reasoning') && part.signature === undefined
    if (spoken && part.text === '') continue
    if (!spoken || last?.type !== part.type || last.signature !== undefined || !('text' in last))
      joined.push(part)
    else joined[joined.length - 1] = withMore(last, part)
  }
  return joined
}

function withMore(
  last: AssistantPart & { text: string },
  part: AssistantPart & { text: string },
): AssistantPart {
  const by = last.text.length
  const cited = [...citationsOf(last, 0), ...citationsOf(part, by)]
  return {
    ...last,
    text: last.text + part.text,
    ...(cited.length > 0 && { citations: cited }),
  } as AssistantPart
}

/** The citations of a text that stands so much later. */
function citationsOf(part: AssistantPart, by: number): readonly Citation[] {
  const cited = part.type === 'text' ? (part.citations ?? []) : []
  return cited.map((each) =>
    each.type === 'opaque' ? each : { ...each, start: (each.start ?? 0) + by, end: (each.end ?? 0) + by },
  )
}

function withoutSpelling(part: AssistantPart): unknown {
  if (part.type !== 'tool-call') return part
  const { rawArguments: _raw, invalidArguments: error, ...call } = part
  return error === undefined ? call : { ...call, arguments: { INVALID_JSON: error } }
}

/** A call of the time before tools has no id: the one that it gets depends on when its arguments are known. */
function withoutMadeId(part: AssistantPart): AssistantPart {
  return part.type === 'tool-call' && /^call_[\da-f]{24}$/.test(part.id) ? { ...part, id: 'made' } : part
}

/** The formats in which an answer that failed ends its stream with the error that it is, instead of a reason to stop. */
const failing: ReadonlySet<StreamName> = new Set(['openai-responses'])

/** What a stream says, to be compared with a whole answer: all of it, or the content of an answer that failed. */
export async function expectTold(
  name: StreamName,
  text: string,
  whole: ChatResponse,
  made = {},
): Promise<void> {
  const failed = failing.has(name) && whole.candidates[0]?.finish?.reason === 'error'
  const events = answerOf(dialects[name].decodeStream(source(text), identity))
  const streamed = await events.catch((error: unknown) => {
    if (failed && error instanceof StreamError) return error.partial
    throw error
  })
  const contents = ({ candidates }: ChatResponse): unknown =>
    candidates.flatMap(({ content }) => shapes[name](content))
  if (failed) expectSame(bare(contents(streamed)), bare(contents(whole)))
  else expectSame({ ...canonical(streamed, name), ...made }, { ...canonical(whole, name), ...made })
  const words = ({ candidates }: ChatResponse): string => candidates.map((each) => textOf(each)).join()
  expect(words(streamed)).toBe(words(whole))
}

/** The response that a stream of a format tells. */
export async function answerOf(events: AsyncIterable<ChatEvent>): Promise<ChatResponse> {
  return accumulate(events, identity)
}
