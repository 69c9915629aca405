import {
  accumulate,
  type AssistantMessage,
  type ChatRequest,
  type ChatResponse,
  type Dialect,
  InterlinguaError,
  type JsonObject,
  repair,
  textOf,
  toEvents,
} from 'interlingua'
import { geminiInteractionsDialect } from 'interlingua/dialects/gemini-interactions'
import { describe, expect, test } from 'vitest'
import { anyJson, anyRequest, anyResponse } from '../../arbitraries.ts'
import { law } from '../../law-assertions.ts'
import { validator, type WireSchemaName } from '../../wire-validators.ts'
import { requests } from '../bodies/gemini-interactions-requests.ts'
import { responses } from '../bodies/gemini-interactions-responses.ts'
import { subjects } from '../dialect-table.ts'
import { traced, vanished } from '../find-lost-values.ts'
import { bare, leavesOf, mapLeaves } from '../json-leaves.ts'
import { marked } from '../marked-bodies.ts'

const dialect = geminiInteractionsDialect as unknown as Dialect<JsonObject, JsonObject>
const ROUNDS = process.env['SOAK'] ? 3000 : 60

const faultsOf = (schema: WireSchemaName, body: unknown): readonly string[] => validator(schema)(body)

async function* bytesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* bytes
}

/** The payloads of a stream. */
function payloadsOf(text: string): readonly JsonObject[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'))
  return lines.map((line) => JSON.parse(line.slice(6)) as JsonObject)
}

async function encodeStreamText(response: ChatResponse): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of dialect.encodeStream(toEvents(response)))
    text += decoder.decode(chunk, { stream: true })
  return text
}

async function* once(text: string): AsyncGenerator<string, void, undefined> {
  yield text
}

describe('what is written is valid', () => {
  test.each(Object.entries(requests))('request: %s', (_name, body) => {
    expect(faultsOf('gemini-interactions-request', body)).toEqual([])
  })

  test.each(Object.entries(responses))('response: %s', (_name, body) => {
    expect(faultsOf('gemini-interactions-response', body)).toEqual([])
  })

  test.each(subjects)('from requests and responses of $name', ({ dialect: other, valid }) => {
    for (const { name, body } of valid.request) {
      const { value } = dialect.encodeRequest(other.decodeRequest(body).value)
      expect(faultsOf('gemini-interactions-request', value), name).toEqual([])
    }
    for (const { name, body } of valid.response) {
      const { value } = dialect.encodeResponse(other.decodeResponse(body).value)
      expect(faultsOf('gemini-interactions-response', value), name).toEqual([])
    }
  })
})

describe('nothing is lost without a report', () => {
  test('in generated requests and responses', () => {
    law(
      anyRequest,
      (generated) => {
        const tidy = { ...generated, messages: repair([...generated.messages]) }
        const request = traced(bare(JSON.parse(JSON.stringify(tidy)) as ChatRequest))
        const { value, losses } = dialect.encodeRequest({ ...request, model: 'a-model' })
        expect(
          vanished({ ...request, model: 'a-model' }, dialect.decodeRequest(value).value, losses),
        ).toEqual([])
      },
      ROUNDS,
    )
    law(
      anyResponse,
      (generated) => {
        const response = traced(bare(JSON.parse(JSON.stringify(generated)) as ChatResponse))
        const { value, losses } = dialect.encodeResponse(response)
        expect(vanished(response, dialect.decodeResponse(value).value, losses)).toEqual([])
      },
      ROUNDS,
    )
  })

  test.each(subjects)('to $name, and from it', ({ dialect: other, valid }) => {
    const cross = (source: typeof other, target: typeof other, body: JsonObject): void => {
      const request = traced(
        bare(JSON.parse(JSON.stringify(source.decodeRequest(body).value)) as ChatRequest),
      )
      const { value, losses } = target.encodeRequest({ ...request, model: 'a-model' })
      const back = target.decodeRequest(value).value
      expect(vanished({ ...request, model: undefined }, back, losses)).toEqual([])
    }
    for (const body of Object.values(requests)) cross(dialect, other, body)
    for (const { body } of valid.request) cross(other, dialect, body)
  })
})

describe('an edited text is sent as edited', () => {
  test.each(Object.entries(requests))('%s', (_name, body) => {
    const { body: source } = marked(body)
    const request = JSON.parse(JSON.stringify(dialect.decodeRequest(source).value)) as ChatRequest
    const texts = leavesOf(request.messages, (key) => key !== 'extra').filter(
      ({ at, value }) => at.at(-1) === 'text' && value !== '',
    )
    for (const { value: before } of texts) {
      const edited = mapLeaves(request, (leaf, at) => {
        const isText = at.at(-1) === 'text' && !at.includes('extra')
        return isText && leaf === before ? 'something else' : leaf
      }) as ChatRequest
      const { value, losses } = dialect.encodeRequest(edited)
      const sent = JSON.stringify(value)
      const isReported = losses.some(({ rule }) => rule === 'stale-signature')
      expect(sent.includes('something else') || isReported).toBe(true)
      expect(sent).not.toContain(before)
    }
  })
})

describe('a stream equals the complete response', () => {
  const describeMessage = (message: AssistantMessage | undefined): unknown => ({
    text: message && textOf(message),
    calls: message?.content.flatMap((part) =>
      part.type === 'tool-call' ? [[part.id, part.name, part.arguments]] : [],
    ),
    reasoning: message?.content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join(''),
  })

  test.each([...subjects, { name: 'gemini-interactions', dialect, valid: undefined }])(
    'of answers of $name',
    async ({ dialect: source, valid }) => {
      const bodies = valid?.response.map(({ body }) => body) ?? Object.values(responses)
      for (const body of bodies) {
        const response = source.decodeResponse(body).value
        const text = await encodeStreamText(response)
        for (const payload of payloadsOf(text))
          expect(faultsOf('gemini-interactions-stream-event', payload)).toEqual([])
        const streamed = await accumulate(dialect.decodeStream(once(text)))
        const complete = dialect.decodeResponse(dialect.encodeResponse(response).value).value
        expect(describeMessage(streamed.candidates[0])).toEqual(describeMessage(complete.candidates[0]))
      }
    },
  )
})

test('any JSON is decoded, or refused with a typed error', async () => {
  const isTyped = (run: () => unknown): void => {
    try {
      run()
    } catch (error) {
      expect(error).toBeInstanceOf(InterlinguaError)
    }
  }
  law(
    anyJson,
    (json) => {
      isTyped(() => dialect.decodeRequest(json))
      isTyped(() => dialect.decodeResponse(json))
      isTyped(() => dialect.decodeRequest({ model: 'm', input: [json, { type: 'thought', summary: json }] }))
      isTyped(() =>
        dialect.decodeResponse({ status: json, steps: [json, { type: 'model_output', content: json }] }),
      )
    },
    ROUNDS,
  )
  const events = [
    { event_type: 'step.delta', index: 3, delta: { type: 'text', text: 'Hi' } },
    { event_type: 7 },
    [],
  ]
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  for await (const event of dialect.decodeStream(
    bytesOf(dialect.encodeStream(dialect.decodeStream(once(text)))),
  ))
    expect(event.type).toBeTypeOf('string')
})
