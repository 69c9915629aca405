import type { StreamEntry, StreamLog } from 'interlingua/stores'
import { toUIMessageStreamBytes } from 'interlingua/formats/ai-sdk-ui'
import { toEvents } from 'interlingua'
import { text } from 'node:stream/consumers'

/** Texts that a chunk must survive unchanged. */
const HOSTILE_CHUNKS: readonly string[] = ['', 'a\nb\r\nc', '\0', '\ud83d', '\ude00', '"\\', '💬'.repeat(50)]

/** The server-sent events of a response, one chunk each. */
export async function recordStream(words: number): Promise<readonly string[]> {
  const content = Array.from({ length: words }, (_, index) => `word ${index} é `).join('')
  const events = toEvents({
    id: 'resp_1',
    candidates: [{ role: 'assistant', id: 'msg_1', content: [{ type: 'text', text: content }] }],
  })
  const body = await text(toUIMessageStreamBytes(events))
  const sse = body.split(/(?<=\n\n)/)
  const deltas = Array.from({ length: words }, (_, index) => `data: {"delta":"${index}"}\n\n`)
  return [...sse.slice(0, 3), ...deltas, ...HOSTILE_CHUNKS, ...sse.slice(3)]
}

/** Reads a stream to its end. */
export async function readAll(streams: StreamLog, id: string, after = 0): Promise<StreamEntry[]> {
  const entries: StreamEntry[] = []
  for await (const entry of streams.read(id, { after })) entries.push(entry)
  return entries
}

/** Returns the data of the chunks, and how the stream ended. */
export function summarizeEntries(entries: readonly StreamEntry[]): {
  readonly data: readonly string[]
  readonly end: string
} {
  const data = entries.flatMap((entry) => (entry.type === 'chunk' ? [entry.data] : []))
  const last = entries.at(-1)
  return { data, end: last?.type === 'end' ? last.reason : 'none' }
}
