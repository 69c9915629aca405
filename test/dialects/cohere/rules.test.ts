import {
  assistant,
  type ChatRequest,
  detect,
  dialects,
  file,
  image,
  json,
  type JsonObject,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { cohereDialect } from 'interlingua/dialects/cohere'
import { createRegistry } from 'interlingua/providers'
import { findRequestProblems } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'
import { requests } from '../bodies/cohere-requests.ts'
import { responses } from '../bodies/cohere-responses.ts'

function encode(request: ChatRequest): { readonly body: JsonObject; readonly rules: readonly string[] } {
  const { value, losses } = cohereDialect.encodeRequest(request)
  return { body: value, rules: losses.map(({ rule, path }) => `${rule} ${path}`) }
}

const model = 'command-a-03-2025'
const weather = { type: 'function', name: 'get-weather', input: { type: 'object' }, strict: true } as const
const time = { type: 'function', name: 'get_time', input: { type: 'object' } } as const

describe('cohere requests', () => {
  test('text files of the user are documents, and other files are described', () => {
    const csv = { data: Buffer.from('a,b').toString('base64'), mediaType: 'text/csv' }
    const pdf = { data: 'JVBERi0x', mediaType: 'application/pdf' }
    const content = ['Compare.', file({ text: 'One' }, { name: 'one.txt' }), file(csv), file(pdf)]
    const { body, rules } = encode({ model, messages: [user(content)] })
    expect(body['documents']).toEqual([
      { data: { title: 'one.txt', text: 'One' } },
      { data: { text: 'a,b' } },
    ])
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Compare.' },
          { type: 'text', text: '[file, application/pdf]' },
        ],
      },
    ])
    expect(rules).toEqual(['unsupported-media /messages/0/content/3'])
  })

  test('documents of a request are files of its first user message, for every other format', () => {
    const { value: request } = cohereDialect.decodeRequest(requests['documents'])
    const files = [...request.messages][1]?.content.map((part) =>
      part.type === 'file' && part.source.kind === 'text' ? [part.name, part.source.text] : part.type,
    )
    expect(files).toEqual([
      [undefined, 'A plain text.'],
      ['Penguins', 'The emperor is tall.'],
      [undefined, 'Short'],
      [undefined, '{"a":"b"}'],
      'text',
    ])
    const { messages } = dialects.anthropic.encodeRequest(request).value
    expect(JSON.stringify(messages).match(/"type":"document"/g)).toHaveLength(4)
  })

  test('a named tool is required by sending no other tool', () => {
    const { body, rules } = encode({
      model,
      messages: [user('Hi')],
      tools: [weather, time],
      toolChoice: { name: 'get-weather' },
    })
    expect(body).toMatchObject({ tool_choice: 'REQUIRED', strict_tools: true })
    expect(body['tools']).toHaveLength(1)
    expect(JSON.stringify(body['tools'])).toMatch(/"name":"get_weather_[0-9a-f]{8}"/)
    expect(rules).toEqual([
      'name-changed /tools/0/name',
      'allowed-tools /tools/1',
      'tools-withheld /toolChoice',
    ])
  })

  test('text beside calls is the tool plan, also in an answer of Cohere itself', () => {
    const body = {
      id: 'r',
      finish_reason: 'TOOL_CALL',
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: 'I will look.' }],
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_time', arguments: '{}' } }],
      },
    }
    const { value: response } = cohereDialect.decodeResponse(body)
    expect(cohereDialect.encodeResponse(response).value).toEqual(body)
    const history = [user('Time?'), ...response.candidates, toolResults([toolResult('a', '12')])]
    const { body: sent, rules } = encode({ model, messages: history })
    const [, answer] = sent['messages'] as readonly JsonObject[]
    expect(answer).toEqual({
      role: 'assistant',
      tool_plan: 'I will look.',
      tool_calls: body.message.tool_calls,
    })
    expect(rules).toEqual(['text-as-plan /messages/1/content/0'])
    expect(findRequestProblems('cohere', sent)).toEqual([])
  })

  test('strict_tools is sent only if all tools agree', () => {
    const { body, rules } = encode({ model, messages: [user('Hi')], tools: [weather, time] })
    expect(body['strict_tools']).toBeUndefined()
    expect(rules).toContain('not-strict /tools/0/strict')
  })

  test.each([
    ['an object with optional properties only', { properties: { city: { type: 'string' } } }, undefined],
    ['such an object in a list', { items: { properties: { city: {} } } }, undefined],
    ['a required property', { properties: { city: {} }, required: ['city'] }, true],
    ['a constant that has the form of a schema', { const: { properties: { city: {} } } }, true],
  ])('strict_tools with %s', (_, input, expected) => {
    const { body } = encode({ model, messages: [user('Hi')], tools: [{ ...weather, input }] })
    expect(body['strict_tools']).toBe(expected)
  })

  test('an allowed list keeps its mode, and a choice without tools is omitted', () => {
    const allowed = encode({
      model,
      messages: [user('Hi')],
      tools: [time, { ...time, name: 'other' }],
      toolChoice: { allowed: ['get_time'], mode: 'auto' },
    })
    expect(allowed.body['tool_choice']).toBeUndefined()
    expect(allowed.body['tools']).toHaveLength(1)
    const without = encode({ model, messages: [user('Hi')], toolChoice: 'required' })
    expect(without.body).toEqual({ model, messages: [{ role: 'user', content: 'Hi' }] })
    expect(without.rules).toEqual(['choice-without-tools /toolChoice'])
  })

  test('settings outside of their range are changed to the nearest value', () => {
    const { body, rules } = encode({
      model,
      messages: [user('Hi')],
      temperature: 1.5,
      topP: 1,
      presencePenalty: -1,
      stop: ['1', '2', '3', '4', '5', '6'],
    })
    expect(body).toMatchObject({
      temperature: 1,
      p: 0.99,
      presence_penalty: 0,
      stop_sequences: ['1', '2', '3', '4', '5'],
    })
    expect(rules).toEqual([
      'setting-range /temperature',
      'setting-range /topP',
      'setting-range /presencePenalty',
      'stop-limit /stop/5',
    ])
  })

  test('a request whose tools cannot be sent has no tools', () => {
    const search = { type: 'provider', provider: 'anthropic', name: 'web_search', options: {} } as const
    const { body, rules } = encode({ model, messages: [user('Hi')], tools: [search] })
    expect(body).not.toHaveProperty('tools')
    expect(rules).toContain('foreign-tool /tools/0')
    expect(encode({ model, messages: [user('Hi')], tools: [] }).body['tools']).toEqual([])
  })

  test('a JSON schema is sent without tools only', () => {
    const output = { type: 'json', schema: { type: 'object' }, name: 'answer', description: 'Why' } as const
    const { body } = encode({ model, messages: [user('Hi')], output })
    expect(body['response_format']).toEqual({
      type: 'json_object',
      json_schema: { type: 'object', description: 'Why' },
    })
    const beside = encode({ model, messages: [user('Hi')], output, tools: [time] })
    expect(beside.body['response_format']).toBeUndefined()
    expect(beside.rules).toEqual(['output-beside-tools /output'])
  })

  test('objects in tool results are documents, failures are text, and images follow in a user message', () => {
    const { body, rules } = encode({
      model: 'command-a-vision-07-2025',
      messages: [
        user('Hi'),
        assistant([
          toolCall({ id: 'a', name: 'get_time', arguments: {} }),
          toolCall({ id: 'b', name: 'get_time', arguments: {} }),
        ]),
        toolResults([
          toolResult('a', [json({ hour: 4 }), image('https://e.com/clock.png')]),
          toolResult('b', 'No clock', { isError: true }),
        ]),
      ],
    })
    expect((body['messages'] as readonly JsonObject[]).slice(2)).toEqual([
      {
        role: 'tool',
        tool_call_id: 'a',
        content: [
          { type: 'document', document: { data: { hour: 4 } } },
          { type: 'text', text: '[image: shown below]' },
        ],
      },
      { role: 'tool', tool_call_id: 'b', content: '{"error":"No clock"}' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '[The tool showed this.]' },
          { type: 'image_url', image_url: { url: 'https://e.com/clock.png' } },
        ],
      },
    ])
    expect(rules).toContain('error-as-text /messages/2/content/1')
  })

  test('bodies are recognized', () => {
    const registry = createRegistry({ dialects: [cohereDialect] })
    for (const name of ['settings', 'documents', 'tools', 'thinking'])
      expect(detect(requests[name], { registry })[0], name).toMatchObject({ name: 'cohere', kind: 'request' })
    for (const body of Object.values(responses))
      expect(detect(body, { registry })[0]).toMatchObject({ name: 'cohere', kind: 'response' })
  })
})

describe('cohere responses', () => {
  test('the tool plan is reasoning, and is sent back as the tool plan', () => {
    const { value } = cohereDialect.decodeResponse(responses['calls'])
    const [message] = value.candidates
    expect(message?.content.map(({ type }) => type)).toEqual(['reasoning', 'tool-call'])
    const { value: body } = cohereDialect.encodeRequest({
      model,
      messages: [user('Hi'), message ?? user('')],
    })
    expect(body.messages[1]).toMatchObject({ role: 'assistant', tool_plan: 'I will search.' })
    expect(body.messages[1]).not.toHaveProperty('content')
  })

  test('citations of several sources are one citation on the wire, and several in the text', () => {
    const { value } = cohereDialect.decodeResponse(responses['citations'])
    const [part] = value.candidates[0]?.content ?? []
    expect(
      part?.type === 'text' &&
        part.citations?.map((each) => 'start' in each && part.text.slice(each.start, each.end)),
    ).toEqual(['The emperor', 'tall', 'tall', 'tall'])
  })

  test('usage counts the tokens of the model; the billed units stay in extra', () => {
    const usage = {
      tokens: { input_tokens: 10, output_tokens: 2 },
      billed_units: { input_tokens: 3, output_tokens: 2 },
    }
    const decoded = cohereDialect.decodeUsage(usage)
    expect(decoded).toMatchObject({ inputTokens: 10, outputTokens: 2, totalTokens: 12 })
    expect(decoded?.extra?.['cohere/response']).toMatchObject({ billed_units: { input_tokens: 3 } })
  })

  test('a call without arguments has empty arguments', () => {
    const { value } = cohereDialect.decodeResponse(responses['nullArguments'])
    const call = value.candidates[0]?.content[1]
    expect(call).toMatchObject({ type: 'tool-call' })
    expect(call).toHaveProperty('arguments', {})
  })

  test('errors are messages', () => {
    const error = cohereDialect.decodeError(429, { id: 'e1', message: 'trial key limit' })
    expect(error).toMatchObject({ kind: 'rate-limit', message: 'trial key limit', status: 429 })
    expect(cohereDialect.encodeError(error)).toMatchObject({
      status: 429,
      body: { message: 'trial key limit' },
    })
    expect(cohereDialect.decodeError(498, { message: 'invalid token' })).toMatchObject({
      kind: 'authentication',
    })
  })
})
