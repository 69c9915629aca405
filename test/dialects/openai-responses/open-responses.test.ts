import {
  assistant,
  type ChatEvent,
  type ChatRequest,
  dialects,
  InterlinguaError,
  type JsonObject,
  reasoning,
  text,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { isObject, itemsOf, readStringOrEmpty } from '../../../src/wire/json.ts'
import { again, expectSame } from '../../law-assertions.ts'

const responses = dialects['openai-responses']
const options = { flavor: 'open-responses', now: () => 1_763_000_000_000 } as const

/** The fields of `ResponseResource` in the specification of 2026-04-24: those that may be null are in the second list. */
const valueFields =
  'id object created_at status model output tools tool_choice truncation parallel_tool_calls text top_p temperature presence_penalty frequency_penalty top_logprobs store background service_tier metadata'
const nullableFields =
  'completed_at incomplete_details previous_response_id instructions error reasoning usage max_output_tokens max_tool_calls safety_identifier prompt_cache_key'

function expectComplete(response: unknown): void {
  const found = response as JsonObject
  for (const key of valueFields.split(' ')) expect([key, found[key] ?? null]).not.toEqual([key, null])
  for (const key of nullableFields.split(' ')) expect(found).toHaveProperty([key])
  for (const key of ['phase', 'logprobs']) expect(found).not.toHaveProperty(key)
}

const request: ChatRequest = {
  model: 'a-model',
  messages: [user('Hi')],
  tools: [
    { type: 'function', name: 'f', input: { type: 'object' } },
    { type: 'provider', provider: 'openai', name: 'web_search', options: {} },
  ],
  reasoning: { effort: 'minimal' },
  output: { type: 'json' },
  presencePenalty: 0.1,
  frequencyPenalty: 0.2,
  user: 'u-1',
  temperature: 0.5,
}

describe('a request in the Open Responses format', () => {
  test('has the fields of the specification', () => {
    const { value, losses } = responses.encodeRequest(request, options)
    expect(again(value)).toMatchObject({
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      reasoning: { effort: 'low' },
      tools: [{ type: 'function', name: 'f' }],
      text: { format: { type: 'json_schema', schema: { type: 'object' } } },
    })
    expect(value).not.toHaveProperty('user')
    expect(losses.map(({ rule, path }) => `${rule} ${path}`).toSorted()).toEqual([
      'effort-approximated /reasoning/effort',
      'foreign-tool /tools/1',
      'no-field /user',
      'output-named /output/name',
      'output-schema-made /output',
    ])
  })

  test('is decoded, and sent back as received, with extensions and compactions', () => {
    const body = {
      model: 'a-model',
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      input: [
        { type: 'compaction', id: 'cmp_1', encrypted_content: 'c2VjcmV0' },
        { type: 'acme:search_result', id: 'as_1', status: 'completed', hits: 3 },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      ],
      tools: [{ type: 'acme:search', depth: 2 }],
    }
    const decoded = responses.decodeRequest(body, { flavor: 'open-responses' }).value
    expect(decoded).toMatchObject({ presencePenalty: 0.1, frequencyPenalty: 0.2 })
    expectSame(again(responses.encodeRequest(decoded, options)), { value: body, losses: [] })
    const toOpenai = responses.encodeRequest(decoded)
    expect(toOpenai.value).not.toHaveProperty('presence_penalty')
    expect(toOpenai.losses.map(({ path }) => path)).toEqual(['/presencePenalty', '/frequencyPenalty'])
  })
})

describe('a response in the Open Responses format', () => {
  const message = assistant([reasoning('Hm.'), text('Yo')], { finish: { reason: 'stop' } } as never)
  const answer = { id: 'resp_1', model: 'a-model', candidates: [message] }

  test('has every required field', () => {
    const { value } = responses.encodeResponse(answer, { ...options, request })
    expectComplete(value)
    expect(value).toMatchObject({
      temperature: 0.5,
      presence_penalty: 0.1,
      reasoning: { effort: 'low', summary: null },
      tools: [{ type: 'function', name: 'f', description: null }],
      completed_at: 1_763_000_000,
    })
    expectComplete(responses.encodeResponse(answer, options).value)
    // OpenAI's own responses have fewer.
    expect(responses.encodeResponse(answer).value).not.toHaveProperty('background')
  })

  test('keeps the items of extensions, and compactions', () => {
    const { value: wire } = responses.encodeResponse(answer, options)
    const items = [
      { type: 'acme:trace', id: 'at_1', status: 'completed', spans: [1] },
      { type: 'compaction', id: 'cmp_1', encrypted_content: 'c2VjcmV0' },
    ]
    const body = { ...(again(wire) as JsonObject), output: items }
    const { value } = responses.decodeResponse(body, { flavor: 'open-responses' })
    expectSame(again(responses.encodeResponse(value, options).value), body)
    const next = responses.encodeRequest({ messages: [...value.candidates, user('So?')] }, options)
    expect(again(next.value)).toMatchObject({ input: [...items, { role: 'user' }] })
  })
})

describe('a stream in the Open Responses format', () => {
  const events: readonly ChatEvent[] = [
    { type: 'start', id: 'resp_1', model: 'a-model' },
    { type: 'part-start', index: 0, part: { type: 'reasoning', text: '' } },
    { type: 'reasoning-delta', index: 0, text: 'Hm.' },
    { type: 'part-end', index: 0 },
    { type: 'part-start', index: 1, part: { type: 'text', text: '' } },
    { type: 'text-delta', index: 1, text: 'Yo' },
    { type: 'part-end', index: 1 },
    { type: 'finish', finish: { reason: 'stop' } },
  ]

  async function write(source: readonly ChatEvent[], given: object = options): Promise<readonly string[]> {
    const chunks: string[] = []
    for await (const bytes of responses.encodeStream(source, given))
      chunks.push(new TextDecoder().decode(bytes))
    return chunks.join('').trim().split('\n\n')
  }
  const payloadsOf = (frames: readonly string[]): readonly JsonObject[] =>
    frames.slice(0, -1).map((frame) => JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '') as JsonObject)

  test('numbers its events, completes its responses, and ends with [DONE]', async () => {
    const frames = await write(events)
    expect(frames.at(-1)).toBe('data: [DONE]')
    const payloads = payloadsOf(frames)
    expect(payloads.map(({ sequence_number: number }) => number)).toEqual(payloads.map((_, index) => index))
    const types = payloads.map(({ type }) => readStringOrEmpty(type))
    expect(types).toContain('response.reasoning_summary_text.delta')
    for (const [index, frame] of frames.slice(0, -1).entries())
      expect(frame).toContain(`event: ${types[index]}\n`)
    const objects = payloads.flatMap(({ response }) => (response === undefined ? [] : [response]))
    expect(objects.length).toBeGreaterThan(1)
    for (const response of objects) expectComplete(response)
  })

  /** A stream with raw reasoning, whose events have another name than those of OpenAI, and with an event of an extension. */
  async function writeOpenStream(): Promise<string> {
    const frames = payloadsOf(await write(events.filter((event) => !('index' in event && event.index === 0))))
    const [created, progress, ...others] = frames
    const item = { type: 'reasoning', id: 'rs_1', summary: [] }
    const at = { item_id: 'rs_1', output_index: 0, content_index: 0 }
    const part = { type: 'reasoning_text', text: '' }
    const moved = others.map((wire) => ('output_index' in wire ? { ...wire, output_index: 1 } : wire))
    const done = { ...item, content: [{ ...part, text: 'Hm.' }] }
    const final = moved.map(({ response, ...wire }) =>
      isObject(response)
        ? { ...wire, response: { ...response, output: [done, ...itemsOf(response['output'])] } }
        : wire,
    )
    const wires = [
      created,
      progress,
      { type: 'acme:trace_event', spans: 1 },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.content_part.added', ...at, part },
      { type: 'response.reasoning.delta', ...at, delta: 'Hm.' },
      { type: 'response.reasoning.done', ...at, text: 'Hm.' },
      { type: 'response.content_part.done', ...at, part: { ...part, text: 'Hm.' } },
      { type: 'response.output_item.done', output_index: 0, item: done },
      ...final,
    ].map((wire, index) => ({ ...wire, sequence_number: index }))
    const lines = wires.map(
      (wire) => `event: ${readStringOrEmpty((wire as JsonObject)['type'])}\ndata: ${JSON.stringify(wire)}`,
    )
    return [...lines, 'data: [DONE]', ''].join('\n\n')
  }

  test('with raw reasoning and extensions is read, and written as it was received', async () => {
    const stream = await writeOpenStream()
    const read: ChatEvent[] = []
    const source = new Blob([stream]).stream()
    for await (const event of responses.decodeStream(source, { flavor: 'open-responses' })) read.push(event)
    const textOf = (type: string) =>
      read.flatMap((each) => (each.type === type && 'text' in each ? [each.text] : []))
    expect(textOf('reasoning-delta').join('')).toBe('Hm.')
    expect(textOf('text-delta').join('')).toBe('Yo')
    const dataOf = (frames: string): readonly unknown[] =>
      [...frames.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data) as unknown)
    const written = [...(await write(read)), ''].join('\n\n')
    expectSame(dataOf(written), dataOf(stream))
    expect(written.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('has nested errors', async () => {
    const error = new InterlinguaError('provider-error', 'Boom')
    const frames = await write([...events.slice(0, 2), { type: 'error', error }])
    const failure = frames
      .map((frame) => /^data: (.*)$/m.exec(frame)?.[1] ?? '')
      .find((data) => data.includes('"type":"error"'))
    expect(JSON.parse(failure ?? '{}')).toMatchObject({ type: 'error', error: { message: 'Boom' } })
  })
})
