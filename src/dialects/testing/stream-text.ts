import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { getStreamCodec, isDialect } from '../engine/define-dialect.ts'
import type { Dialect, EncodeOptions } from '../engine/dialect.ts'
import type { Framing } from '../engine/stream-framing.ts'
import { createStreamTextReader } from '../engine/stream-text-reader.ts'
import { isObject, type JsonObject, tryParseJson } from '../../wire/json.ts'

/** Encodes events as the text of a stream, with its losses. */
export async function encodeToText(
  dialect: Dialect,
  events: Iterable<ChatEvent>,
  { now }: EncodeOptions,
): Promise<{ readonly text: string; readonly losses: readonly Loss[] }> {
  const stream = dialect.encodeStream(events, { ...(now && { now }) })
  const text = toStreamText(dialect, await collectAll(stream))
  return { text, losses: await stream.losses }
}

/** Returns the text of a stream. */
export function toStreamText(dialect: Dialect, chunks: readonly Uint8Array[]): string {
  const framing = getFraming(dialect)
  return chunks.map(createStreamTextReader({ ...(framing && { framing }) })).join('')
}

/** Returns the framing of a dialect; undefined for an object that wraps a dialect: its streams are read as text. */
function getFraming(dialect: Dialect): Framing | undefined {
  return isDialect(dialect) ? getStreamCodec(dialect).framing : undefined
}

/** Returns the bytes of a stream with a text: the payloads of a binary stream are framed. */
export function toStreamBytes(dialect: Dialect, text: string): Uint8Array {
  const framing = getFraming(dialect)
  const encoder = new TextEncoder()
  const payloads = framing?.isBinary ? parsePayloads(text) : undefined
  if (framing === undefined || payloads === undefined) return encoder.encode(text)
  const frames = payloads.map((payload) => framing.write(payload))
  return joinBytes(frames.map((frame) => (typeof frame === 'string' ? encoder.encode(frame) : frame)))
}

function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let start = 0
  for (const chunk of chunks) {
    joined.set(chunk, start)
    start += chunk.length
  }
  return joined
}

/** Collects the values of an asynchronous iterable. */
export async function collectAll<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}

/** Yields bytes in chunks of the sizes that a function returns. */
export async function* splitBytes(bytes: Uint8Array, getSize: () => number): AsyncGenerator<Uint8Array> {
  let start = 0
  while (start < bytes.length) {
    const end = start + getSize()
    yield bytes.subarray(start, end)
    start = end
  }
}

/**
 * Returns the JSON payloads of a stream that consists of server-sent events, one JSON array, or one value per line;
 * undefined for other framings.
 */
export function parsePayloads(text: string): readonly JsonObject[] | undefined {
  const values = listPayloadTexts(text).map((payload) => tryParseJson(payload))
  return values.length > 0 && values.every(isObject) ? (values as readonly JsonObject[]) : undefined
}

function listPayloadTexts(text: string): readonly string[] {
  if (text.trimStart().startsWith('[')) {
    const list = tryParseJson(text)
    return Array.isArray(list) ? list.map((each) => JSON.stringify(each)) : []
  }
  const lines = text.split(/\r\n|\n|\r/)
  const events = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length))
  return (events.length > 0 ? events : lines)
    .map((line) => line.trim())
    .filter((line) => line.startsWith('{'))
}
