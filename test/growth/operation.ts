import {
  type ChatEvent,
  type ChatRequest,
  type ChatResponse,
  type DialectName,
  dialects,
  type Json,
  type Message,
} from 'interlingua'
import type { ElementLimits } from '../../src/wire/stream-limits.ts'
import { framed } from '../dialects/stream-responses.ts'

/** Bodies with so many elements are refused by default. */
export const limits: Required<ElementLimits> = {
  maxCandidates: Infinity,
  maxParts: Infinity,
  maxToolCalls: Infinity,
  maxCitations: Infinity,
  maxTools: Infinity,
  maxEmptyEvents: Infinity,
}

export type InputKind = 'request' | 'response' | 'stream' | 'messages' | 'file' | 'schema'

/** A public function as a law calls it: what it works on is prepared first, so that only its own work is measured. */
export interface Operation {
  readonly title: string
  readonly prepare: (input: Json, dialect: DialectName) => Promise<() => unknown> | (() => unknown)
}

export const direct = (title: string, run: (input: Json, dialect: DialectName) => unknown): Operation => ({
  title,
  prepare: (input, dialect) => () => run(input, dialect),
})

export const onRequest = (
  title: string,
  run: (request: ChatRequest, dialect: DialectName) => unknown,
): Operation => ({
  title,
  prepare: (input, dialect) => {
    const { value } = dialects[dialect].decodeRequest(input, { limits })
    return () => run(value, dialect)
  },
})

export const onMessages = (title: string, run: (messages: readonly Message[]) => unknown): Operation => ({
  title,
  prepare: (input, dialect) => {
    const { value } = dialects[dialect].decodeRequest(input, { limits })
    const messages = [...value.messages]
    return () => run(messages)
  },
})

export const onResponse = (
  title: string,
  run: (response: ChatResponse, dialect: DialectName) => unknown,
): Operation => ({
  title,
  prepare: (input, dialect) => {
    const { value } = dialects[dialect].decodeResponse(input, { limits })
    return () => run(value, dialect)
  },
})

export const onStream = (
  title: string,
  run: (bytes: () => Source, dialect: DialectName) => Promise<unknown>,
): Operation => ({
  title,
  prepare: (input, dialect) => {
    const bytes = new TextEncoder().encode(framed(dialect, input as readonly Json[]))
    return () => run(() => yieldChunks(bytes), dialect)
  },
})

export const onEvents = (
  title: string,
  run: (events: readonly ChatEvent[], dialect: DialectName) => Promise<unknown>,
): Operation => ({
  title,
  prepare: async (input, dialect) => {
    const bytes = new TextEncoder().encode(framed(dialect, input as readonly Json[]))
    const events: ChatEvent[] = []
    for await (const event of dialects[dialect].decodeStream(yieldChunks(bytes), { limits }))
      events.push(event)
    return () => run(events, dialect)
  },
})

type Source = AsyncGenerator<Uint8Array>

const CHUNK_BYTES = 65_536

async function* yieldChunks(bytes: Uint8Array): Source {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    yield bytes.subarray(start, start + CHUNK_BYTES)
}

export async function drain(values: AsyncIterable<unknown>): Promise<void> {
  for await (const _value of values);
}

/** Returns messages with ids of their own: a storage refuses a repeated id. */
export const withUniqueIds = (messages: readonly Message[]): readonly Message[] =>
  messages.map((message, index) => ({ ...message, id: `m${index}` }))
