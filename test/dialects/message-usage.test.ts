import {
  accumulate,
  type AssistantMessage,
  type ChatEvent,
  type ChatRequest,
  type ChatResponse,
  type DialectName,
  dialects,
  type Loss,
  type Message,
  StreamError,
  toEvents,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { subjects } from './dialect-table.ts'

const targets = Object.values(dialects)
const fixed = { now: (): number => 0, newId: (prefix: string): string => `${prefix}_1` }

/** The response as it would be if messages carried no usage. */
function withoutMessageUsage(response: ChatResponse): ChatResponse {
  return { ...response, candidates: response.candidates.map(dropUsage) }
}

function dropUsage({ usage: _usage, ...message }: AssistantMessage): AssistantMessage {
  return message
}

const request = (...messages: readonly Message[]): ChatRequest => ({
  model: 'm',
  maxOutputTokens: 99,
  messages: [user('Hi', { id: 'u', createdAt: '1970-01-01T00:00:00.000Z' }), ...messages],
})

describe.each(subjects)('$name', ({ dialect, valid }) => {
  describe.each(valid.response)('the usage of $name', ({ body }) => {
    const { value: response } = dialect.decodeResponse(body, fixed)

    test('[r62] [C16] is on every decoded message', () => {
      for (const candidate of response.candidates) expect(candidate.usage).toEqual(response.usage)
    })

    test('[C16] is on every message of a stream', async () => {
      const { candidates, usage } = await accumulate(toEvents(response))
      expect([candidates, usage]).toEqual([response.candidates, response.usage])
      const streamed = await accumulateSoFar(dialect.decodeStream(dialect.encodeStream(toEvents(response))))
      for (const candidate of streamed.candidates) expect(candidate.usage).toEqual(streamed.usage)
    })

    test('[C16] changes no body and no loss of a response, a stream or a request', async () => {
      const plain = withoutMessageUsage(response)
      expect(dialect.encodeResponse(response, fixed).value).toEqual(body)
      for (const target of targets) {
        expect(target.encodeResponse(response, fixed)).toEqual(target.encodeResponse(plain, fixed))
        expect(target.encodeRequest(request(...response.candidates), fixed)).toEqual(
          target.encodeRequest(request(...plain.candidates), fixed),
        )
        for (const message of response.candidates)
          expect(target.encodeMessage(message, fixed)).toEqual(
            target.encodeMessage(dropUsage(message), fixed),
          )
        expect(await streamOf(target.name, response)).toEqual(await streamOf(target.name, plain))
      }
    })
  })
})

/** The response of a stream, or its part before an error. */
function accumulateSoFar(events: AsyncIterable<ChatEvent>): Promise<ChatResponse> {
  return accumulate(events).catch((error: unknown) => {
    if (error instanceof StreamError) return error.partial
    throw error
  })
}

/** The bytes of a response as a stream, and its losses. */
async function streamOf(
  name: DialectName,
  response: ChatResponse,
): Promise<readonly [string, readonly Loss[]]> {
  const events = toEvents(response).map((event) => addUsageToStart(event, response))
  const stream = dialects[name].encodeStream(events, fixed)
  let text = ''
  for await (const bytes of stream) text += new TextDecoder().decode(bytes)
  return [text, await stream.losses]
}

/** Adds the usage of the message to its start, where sources other than `toEvents` may have it. */
function addUsageToStart(event: ChatEvent, { candidates }: ChatResponse): ChatEvent {
  const usage = candidates[event.candidate ?? 0]?.usage
  if (event.type !== 'start' || usage === undefined) return event
  return { ...event, message: { ...event.message, usage } }
}
