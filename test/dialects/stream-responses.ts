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
import { createStreamTextReader } from '../../src/dialects/engine/stream-text-reader.ts'
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

/** Reasoning, a call that the provider ran, and its result. */
export const searched: readonly AssistantPart[] = [reasoning('Hm.'), search, toolResult(search, { hits: 1 })]

export const identity = { newId: (prefix: string): string => `${prefix}_1`, now: (): number => 0 }

/**
 * Returns the bytes of a stream as text. The streams of bedrock are binary: their text has one payload per line, which its
 * decoder reads, too.
 */
export function toStreamText(name: StreamName, chunks: readonly Uint8Array[]): string {
  return chunks.map(createStreamTextReader(getStreamCodec(dialects[name]))).join('')
}

/** Encodes events as a stream. Returns its text and its losses. */
export async function encodeStreamText(
  name: StreamName,
  events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
  options: EncodeOptions = {},
): Promise<{ readonly text: string; readonly losses: readonly Loss[] }> {
  const stream = dialects[name].encodeStream(events, { now: () => 0, ...options })
  const text = toStreamText(name, await collect(stream))
  return { text, losses: await stream.losses }
}

/** Frames texts, one payload each, as the dialect frames them; they need not be JSON. */
export function framedTexts(name: StreamName, texts: readonly string[]): string {
  const frame = framed(name, [{}])
  return texts.map((text) => frame.replace('{}', () => text)).join('')
}

/** Frames payloads as the dialect frames them. */
export function framed(name: StreamName, wires: readonly unknown[]): string {
  if (name === 'bedrock') return wires.map((wire) => `${JSON.stringify(wire)}\n`).join('')
  return wires.map((wire) => getStreamCodec(dialects[name]).framing.write(wire as JsonObject)).join('')
}

/** Yields a text as one chunk. */
export async function* source(text: string): AsyncGenerator<string> {
  yield text
}

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}

/**
 * Returns the canonical content of a response, without residue and generated ids, in the form in which the
 * dialect streams it. The usage of a message repeats that of its response.
 */
export function canonical(response: ChatResponse, name: StreamName): object {
  const { candidates, ...rest } = bare(JSON.parse(JSON.stringify(response)) as ChatResponse)
  return {
    ...rest,
    candidates: candidates.map(({ id: _id, usage: _usage, content, ...message }: AssistantMessage) => ({
      ...message,
      content: shapes[name](content),
    })),
  }
}

/**
 * The normalizations under which a stream equals the complete response:
 * - openai-chat, ollama: a complete response has one reasoning text, one text, one refusal, and its calls after them. A stream keeps the order in
 *   which the model generated them, so both are sorted. Chunks have no field for citations.
 * - gemini: adjacent texts of a stream are joined, and empty ones are dropped.
 * - mistral: a complete response has its calls after the content. Adjacent texts of a stream are joined, unless references
 *   separate them.
 * - cohere: a complete response has its calls after the content. Empty arguments are an empty text or `{}`.
 * - anthropic: a complete response has arguments as an object. A stream has their text, which is kept even if it is not JSON.
 */
const shapes: { readonly [name in StreamName]: (parts: readonly AssistantPart[]) => unknown } = {
  'openai-chat': (parts) =>
    sorted(joinReasoningTexts(parts), ['reasoning', 'text', 'refusal'], ['text', 'refusal']),
  'openai-responses': (parts) => parts,
  anthropic: (parts) => parts.map(withoutSpelling),
  gemini: joinAdjacent,
  ollama: (parts) => sorted(parts, ['reasoning', 'image', 'text'], ['reasoning', 'text']),
  mistral: joinUncited,
  'gemini-interactions': (parts) => parts.map(withoutSpelling),
  bedrock: (parts) => parts.map(withoutSpelling),
  cohere: (parts) => callsLast(parts).map(withoutEmptyText),
}

/** Appends the calls to the other parts. */
function callsLast(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  return parts.toSorted((a, b) => Number(a.type === 'tool-call') - Number(b.type === 'tool-call'))
}

/** Omits the empty text of arguments, for which a stream has no delta. */
function withoutEmptyText(part: AssistantPart): AssistantPart {
  if (part.type !== 'tool-call' || part.rawArguments !== '') return part
  const { rawArguments: _raw, ...call } = part
  return call
}

/** Appends the calls to the other parts, of which adjacent texts are joined unless a reference or a signature separates them. */
function joinUncited(parts: readonly AssistantPart[]): readonly unknown[] {
  const runs: AssistantPart[][] = [[]]
  for (const part of parts.filter(({ type }) => type !== 'tool-call')) {
    runs.at(-1)?.push(part)
    if (part.type === 'text' && part.citations !== undefined) runs.push([])
  }
  const calls = parts.filter(({ type }) => type === 'tool-call')
  return [...runs.flatMap(joinAdjacent), ...calls.map(withoutMadeId)]
}

/** Sorts parts by type, joins those of the types in `joined`, and appends the calls. */
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

/** Joins the reasoning that has nothing but text, at the position of the first. */
function joinReasoningTexts(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const isText = (part: AssistantPart): boolean =>
    part.type === 'reasoning' && part.signature === undefined && !part.summary && !part.redacted
  const text = parts.map((part) => (isText(part) && 'text' in part ? part.text : '')).join('')
  const first = parts.findIndex(isText)
  return parts.flatMap((part, index): readonly AssistantPart[] => {
    if (!isText(part)) return [part]
    return index === first ? [{ type: 'reasoning', text }] : []
  })
}

/** Joins adjacent texts and adjacent reasoning, unless a signature separates them. */
function joinAdjacent(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const joined: AssistantPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    const isJoinable = (part.type === 'text' || part.type === 'reasoning') && part.signature === undefined
    if (isJoinable && part.text === '') continue
    if (!isJoinable || last?.type !== part.type || last.signature !== undefined || !('text' in last))
      joined.push(part)
    else joined[joined.length - 1] = appendPart(last, part)
  }
  return joined
}

function appendPart(
  last: AssistantPart & { text: string },
  part: AssistantPart & { text: string },
): AssistantPart {
  const offset = last.text.length
  const cited = [...citationsOf(last, 0), ...citationsOf(part, offset)]
  return {
    ...last,
    text: last.text + part.text,
    ...(cited.length > 0 && { citations: cited }),
  } as AssistantPart
}

/** Returns the citations of a text, moved by an offset. */
function citationsOf(part: AssistantPart, offset: number): readonly Citation[] {
  const cited = part.type === 'text' ? (part.citations ?? []) : []
  return cited.map((each) =>
    each.type === 'opaque'
      ? each
      : { ...each, start: (each.start ?? 0) + offset, end: (each.end ?? 0) + offset },
  )
}

function withoutSpelling(part: AssistantPart): unknown {
  if (part.type !== 'tool-call') return part
  const { rawArguments: _raw, invalidArguments: error, ...call } = part
  return error === undefined ? call : { ...call, arguments: { INVALID_JSON: error } }
}

/**
 * Replaces the id of a legacy function call: it is generated from the arguments that are known at that time.
 */
function withoutMadeId(part: AssistantPart): AssistantPart {
  return part.type === 'tool-call' && /^call_[\da-f]{24}$/.test(part.id) ? { ...part, id: 'made' } : part
}

/** The dialects in which the stream of a failed response ends with an error instead of a finish reason. */
const dialectsWithErrorEnd: ReadonlySet<StreamName> = new Set(['openai-responses'])

/** Expects that a stream decodes to a complete response; of a failed response only the content is compared. */
export async function expectEncodedStream(
  name: StreamName,
  text: string,
  complete: ChatResponse,
  ignored = {},
): Promise<void> {
  const failed = dialectsWithErrorEnd.has(name) && complete.candidates[0]?.finish?.reason === 'error'
  const events = answerOf(dialects[name].decodeStream(source(text), identity))
  const streamed = await events.catch((error: unknown) => {
    if (failed && error instanceof StreamError) return error.partial
    throw error
  })
  const contents = ({ candidates }: ChatResponse): unknown =>
    candidates.flatMap(({ content }) => shapes[name](content))
  if (failed) expectSame(bare(contents(streamed)), bare(contents(complete)))
  else expectSame({ ...canonical(streamed, name), ...ignored }, { ...canonical(complete, name), ...ignored })
  const texts = ({ candidates }: ChatResponse): string => candidates.map((each) => textOf(each)).join()
  expect(texts(streamed)).toBe(texts(complete))
}

/** Accumulates the events of a stream. */
export async function answerOf(events: AsyncIterable<ChatEvent>): Promise<ChatResponse> {
  return accumulate(events, identity)
}

/**
 * Returns the options for answers with published fields only. The schema of OpenAI has no field for reasoning:
 * `reasoning_content` is an extension of compatible hosts, which official clients ignore.
 */
export function publishedAnswerOptions(name: string): EncodeOptions {
  return name === 'openai-chat' ? { foreignReasoning: 'drop' } : {}
}
