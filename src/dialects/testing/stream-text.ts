import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import type { Dialect, EncodeOptions } from '../engine/dialect.ts'
import { isObject, type JsonObject, tryParseJson } from '../../wire/json.ts'

/** Encodes events as the text of a stream, with its losses. */
export async function encodeToText(
  dialect: Dialect,
  events: Iterable<ChatEvent>,
  { now }: EncodeOptions,
): Promise<{ readonly text: string; readonly losses: readonly Loss[] }> {
  const stream = dialect.encodeStream(events, { ...(now && { now }) })
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of stream) text += decoder.decode(bytes, { stream: true })
  return { text, losses: await stream.losses }
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
