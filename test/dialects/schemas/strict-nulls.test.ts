import {
  accumulate,
  type ChatEvent,
  type ChatResponse,
  dialects,
  type Json,
  type JsonObject,
  type JsonSchema,
  type Message,
  translateResponse,
  user,
} from 'interlingua'
import { fitSchema } from 'interlingua/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { again, expectSame, law } from '../../law-assertions.ts'
import { instanceOf, schemas } from '../../schema/arbitraries.ts'
import { accepts, respell } from '../../schema/schema-meaning.ts'
import { asking } from './schema-locations.ts'

type Name = 'openai-chat' | 'openai-responses'
const names: readonly Name[] = ['openai-chat', 'openai-responses']

/** Creates the body of a response that calls the tool, or that contains a text. */
function answer(name: Name, said: { readonly call: string } | { readonly text: string }): JsonObject {
  const called = 'call' in said
  if (name === 'openai-chat') {
    const call = called && {
      id: 'call_1',
      type: 'function',
      function: { name: 'book', arguments: said.call },
    }
    return {
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: called ? null : said.text,
            refusal: null,
            ...(call && { tool_calls: [call] }),
          },
          logprobs: called ? null : { content: [{ token: 'a', logprob: -1, bytes: null, top_logprobs: [] }] },
          finish_reason: called ? 'tool_calls' : 'stop',
        },
      ],
    }
  }
  const item = called
    ? {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_1',
        name: 'book',
        arguments: said.call,
        status: 'completed',
      }
    : {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [
          {
            type: 'output_text',
            text: said.text,
            annotations: [],
            logprobs: [{ token: 'a', logprob: -1, bytes: [], top_logprobs: [] }],
          },
        ],
      }
  return { id: 'r1', object: 'response', created_at: 1, model: 'm', status: 'completed', output: [item] }
}

const schema: JsonSchema = {
  type: 'object',
  properties: { unit: { type: 'string' }, city: { type: 'string' }, zip: { type: ['string', 'null'] } },
  required: ['city'],
}
const SPOKEN = '{"unit": null, "city": "Oslo", "zip": null}'
const RESTORED = { city: 'Oslo', zip: null }

const partOf = ({ candidates: [message] }: ChatResponse): unknown => message?.content[0]

describe.each(names)('%s: a response to a strict schema', (name) => {
  const dialect = dialects[name]
  const calling = answer(name, { call: SPOKEN })
  const saying = answer(name, { text: SPOKEN })
  const tool = asking('tool', schema, true)
  const output = asking('output', schema, true)

  test('follows the schema of the application, and is encoded as it was received', () => {
    const called = dialect.decodeResponse(calling, { request: tool }).value
    expect(partOf(called)).toMatchObject({ type: 'tool-call', name: 'book', arguments: RESTORED })
    expect(partOf(called)).toHaveProperty('arguments', RESTORED)
    expect(partOf(called)).not.toHaveProperty('rawArguments')
    const said = dialect.decodeResponse(saying, { request: output }).value
    expect(partOf(said)).toMatchObject({ type: 'text', text: JSON.stringify(RESTORED) })
    for (const [response, body] of [
      [called, calling],
      [said, saying],
    ] as const) {
      const { value, losses } = dialect.encodeResponse(response)
      expectSame(again(value), body)
      expect(losses).toEqual([])
      // Storing and reading the response does not change this.
      expectSame(again(dialect.encodeResponse(again(response) as ChatResponse).value), body)
    }
  })

  test.each([
    ['without its request', undefined],
    ['where nothing was to be strict', asking('tool', schema, false)],
    ['where the schema could not be strict', asking('tool', { ...schema, additionalProperties: true }, true)],
    [
      'of another tool',
      { ...tool, tools: [{ type: 'function', name: 'other', input: schema, strict: true }] },
    ],
  ] as const)('is not changed %s', (_name, request) => {
    const options = request === undefined ? {} : { request }
    const response = dialect.decodeResponse(calling, options).value
    expect(partOf(response)).toHaveProperty('arguments', { unit: null, ...RESTORED })
    expect(partOf(response)).toHaveProperty('rawArguments', SPOKEN)
  })

  test('that is edited is sent as edited, without the old text', () => {
    const response = again(dialect.decodeResponse(calling, { request: tool }).value) as ChatResponse
    const edited = JSON.parse(JSON.stringify(response).replace('"Oslo"', '"Bergen"')) as ChatResponse
    const text = JSON.stringify(dialect.encodeResponse(edited).value)
    expect(text).toContain(JSON.stringify(JSON.stringify({ city: 'Bergen', zip: null })).slice(1, -1))
    expect(text).not.toContain('Oslo')
    const said = again(dialect.decodeResponse(saying, { request: output }).value) as ChatResponse
    const [message] = said.candidates
    const content = [{ ...(message?.content[0] as object), text: '{"city":"Bergen"}' }]
    const changed = { ...said, candidates: [{ ...message, content }] } as unknown as ChatResponse
    expect(JSON.stringify(dialect.encodeResponse(changed).value)).not.toContain('Oslo')
  })

  test('as history: to its vendor as it was received, to others without the nulls', () => {
    const [message] = dialect.decodeResponse(calling, { request: tool }).value.candidates
    const result: Message = {
      id: 'm2',
      role: 'tool',
      content: [
        { type: 'tool-result', callId: 'call_1', name: 'book', content: [{ type: 'text', text: 'ok' }] },
      ],
    }
    const request = { ...tool, messages: [user('Hi'), ...(message ? [message] : []), result] }
    expect(JSON.stringify(dialect.encodeRequest(request).value)).toContain(JSON.stringify(SPOKEN))
    const there = dialects.anthropic.encodeRequest(request)
    expect(JSON.stringify(there.value)).toContain(`"input":${JSON.stringify(RESTORED)}`)
    const about = there.losses.filter(({ path }) => path.startsWith('/messages/1/content/0'))
    expect(about.filter(({ path }) => !path.endsWith('/id'))).toEqual([])
  })

  test('is translated to the other format', () => {
    const { value, losses } = translateResponse(calling, { from: name, to: 'anthropic', request: tool })
    expect(value.content).toMatchObject([{ type: 'tool_use', name: 'book', input: RESTORED }])
    const plain = translateResponse(calling, { from: name, to: 'anthropic' })
    expect(losses).toEqual(plain.losses)
  })

  test('is valid for the schema whenever it was valid before the schema was made strict', () => {
    const cases = schemas.chain((given) => fc.tuple(fc.constant(given), instanceOf(given, given)))
    let count = 0
    law(
      cases,
      ([given, value]) => {
        const fitted = fitSchema(given, 'openai-strict')
        if (!fitted.strict || !accepts(given, value)) return
        const spoken = JSON.stringify(respell(value, fitted.schema, fitted.schema))
        const body = answer(name, { call: spoken })
        const response = dialect.decodeResponse(body, { request: asking('tool', given, true) }).value
        const part = partOf(response) as { readonly arguments: Json }
        if (accepts(given, JSON.parse(spoken) as Json)) expect(accepts(given, part.arguments)).toBe(true)
        expectSame(again(dialect.encodeResponse(response).value), body)
        count += 1
      },
      100,
    )
    expect(count).toBeGreaterThan(10)
  })
})

/** Chunks of a stream that calls the tool, with its arguments in several deltas. */
function* streamed(name: Name): Iterable<string> {
  const pieces = ['{"unit": nu', 'll, "city": "Os', 'lo", "zip": null}']
  const data = (payload: object): string => `data: ${JSON.stringify(payload)}\n\n`
  if (name === 'openai-chat') {
    const chunk = (delta: object, finish: string | null = null): string =>
      data({
        id: 'c1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [{ index: 0, delta, finish_reason: finish }],
      })
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'book', arguments: '' } }
    yield chunk({ role: 'assistant', content: null, tool_calls: [call] })
    for (const piece of pieces) yield chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })
    yield chunk({}, 'tool_calls')
    yield 'data: [DONE]\n\n'
    return
  }
  let sequence = 0
  const event = (type: string, payload: object): string =>
    `event: ${type}\n${data({ type, sequence_number: sequence++, ...payload })}`
  const done = answer(name, { call: SPOKEN })
  const [item] = done['output'] as readonly JsonObject[]
  const at = { item_id: 'fc_1', output_index: 0 }
  yield event('response.created', { response: { ...done, status: 'in_progress', output: [] } })
  yield event('response.output_item.added', {
    output_index: 0,
    item: { ...item, arguments: '', status: 'in_progress' },
  })
  for (const delta of pieces) yield event('response.function_call_arguments.delta', { ...at, delta })
  yield event('response.function_call_arguments.done', { ...at, arguments: SPOKEN })
  yield event('response.output_item.done', { output_index: 0, item: item ?? {} })
  yield event('response.completed', { response: done })
}

/** Decodes a stream to its events. */
function payloadsOf(text: string): readonly unknown[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'))
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as unknown)
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = new TextDecoder()
  let text = ''
  for await (const chunk of stream) text += bytes.decode(chunk, { stream: true })
  return text
}

describe.each(names)('%s: a stream', (name) => {
  const wire = [...streamed(name)].join('')
  const decode = (): AsyncIterable<ChatEvent> =>
    dialects[name].decodeStream(new Blob([wire]).stream(), { request: asking('tool', schema, true) })

  test('ends a call with arguments that follow the schema of the application', async () => {
    const response = await accumulate(decode())
    expect(partOf(response)).toHaveProperty('arguments', RESTORED)
    const whole = dialects[name].encodeResponse(response).value
    expect(JSON.stringify(whole)).toContain(JSON.stringify(SPOKEN))
  })

  test('is encoded as it was received', async () => {
    const text = await textOf(dialects[name].encodeStream(decode()))
    expectSame(payloadsOf(text), payloadsOf(wire))
  })
})
