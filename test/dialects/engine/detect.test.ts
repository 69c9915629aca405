import { detect, dialects, Messages, toJson } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { hasCorpus, recorded } from '../../recorded-exchanges.ts'
import { anyJson } from '../../arbitraries.ts'
import { law } from '../../law-assertions.ts'

const best = (input: unknown): string => {
  const [first] = detect(input)
  return first === undefined ? 'nothing' : `${first.kind} ${first.name}`
}

describe('detect', () => {
  test('detects parsed bodies, JSON text, streams and the stored form', () => {
    expect(best({ model: 'm', max_tokens: 1, system: 'x', messages: [] })).toBe('request anthropic')
    expect(best({ model: 'm', messages: [{ role: 'developer', content: 'x' }] })).toBe('request openai-chat')
    expect(best(JSON.stringify({ object: 'chat.completion', choices: [] }))).toBe('response openai-chat')
    expect(best('event: ping\ndata: {"type":"ping"}\n\n')).toBe('stream anthropic')
    expect(best('data: {"object":"chat.completion.chunk","choices":[]}\n\ndata: [DONE]\n\n')).toBe(
      'stream openai-chat',
    )
    expect(best({ contents: [{ parts: [{ text: 'Hi' }] }] })).toBe('request gemini')
    expect(best({ candidates: [], modelVersion: 'gemini' })).toBe('response gemini')
    expect(best('data: {"candidates":[],"usageMetadata":{}}\n\n')).toBe('stream gemini')
    expect(best('[{"candidates":[]}\n,{"candidates":[]}]')).toBe('stream gemini')
    expect(best({ model: 'm', input: 'Hi', instructions: 'x' })).toBe('request openai-responses')
    expect(best({ object: 'response', output: [] })).toBe('response openai-responses')
    expect(best('event: response.created\ndata: {"type":"response.created","response":{}}\n\n')).toBe(
      'stream openai-responses',
    )
    expect(best({ model: 'm', messages: [], options: { num_ctx: 1 } })).toBe('request ollama')
    const chunk = { model: 'm', message: { role: 'assistant', content: 'Hi' } }
    expect(best({ ...chunk, done: true })).toBe('response ollama')
    const lines = [false, true].map((done) => JSON.stringify({ ...chunk, done })).join('\n')
    expect(best(lines)).toBe('stream ollama')
    expect(best(toJson(Messages.of('Hi')))).toBe('stored interlingua')
    expect([detect(null), detect('hello'), detect({}), detect([1])]).toEqual([[], [], [], []])
  })

  const call = {
    role: 'assistant',
    content: '',
    tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }],
  }
  const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }]
  const question = { role: 'user', content: 'Hi' }

  test.each([
    [
      'a result with the name of its tool',
      { messages: [question, { role: 'tool', tool_name: 'f', content: '1' }] },
    ],
    ['arguments that are an object', { messages: [question, call], tools }],
    [
      'results without ids',
      { messages: [question, call, { role: 'tool', content: '1' }], tools, stream: false },
    ],
    [
      'system text and results',
      {
        messages: [
          { role: 'system', content: 'x' },
          question,
          call,
          { role: 'tool', tool_name: 'f', content: '1' },
        ],
        tools,
      },
    ],
    ['a setting of ollama beside tools', { messages: [question], tools, think: true }],
    ['keep_alive beside tools', { messages: [question], tools, keep_alive: '5m', format: 'json' }],
    ['options beside tools', { messages: [question], tools, options: { seed: 1 } }],
  ])('detects ollama by %s, although openai-chat has tools too', (_sign, body) => {
    const [best, second] = detect({ model: 'qwen3', ...body })
    expect(best).toMatchObject({ kind: 'request', name: 'ollama' })
    expect(second?.certainty ?? 0).toBeLessThan(best?.certainty ?? 0)
  })

  const chatAnswer = (model: string, fields: object = {}): object => ({
    id: '0a6e16070048404cbabdb8fc772f5d17',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    ...fields,
  })

  test('detects mistral by its models, settings and chunks, otherwise openai-chat', () => {
    const loop = {
      messages: [question, { ...call, tool_calls: [{ function: { name: 'f', arguments: '{}' } }] }],
    }
    expect(best({ model: 'mistral-large-latest', ...loop, tools })).toBe('request mistral')
    expect(best({ model: 'ministral-8b-2512', messages: [question] })).toBe('request mistral')
    expect(best({ model: 'm', ...loop, tools, random_seed: 1 })).toBe('request mistral')
    for (const model of ['mistralai/mistral-large-2512', 'gpt-mistral', 'mistral', 'mistral:7b'])
      expect(best({ model, ...loop, tools })).toBe('request openai-chat')
    const openai = { model: 'mistral-large-2512', messages: [question], stream_options: {}, seed: 1 }
    expect(best(openai)).toBe('request openai-chat')
    expect(best(chatAnswer('magistral-medium-latest'))).toBe('response mistral')
    expect(best(chatAnswer('gpt-4o'))).toBe('response openai-chat')
    // A host of OpenAI's format that serves a model of Mistral.
    expect(best(chatAnswer('mistral-saba-24b', { id: 'chatcmpl-1', system_fingerprint: 'fp' }))).toBe(
      'response openai-chat',
    )
  })

  test('never throws and returns a certainty between 0 and 1', () => {
    law(anyJson, (json) => {
      for (const { certainty, evidence } of detect(json)) {
        expect(certainty > 0 && certainty <= 1 && evidence !== '').toBe(true)
      }
    })
  })

  test.skipIf(!hasCorpus).each(Object.values(dialects))(
    'detects the recorded traffic of $name',
    ({ name }) => {
      const exchanges = recorded(name)
      const wrong = exchanges.flatMap(({ id, request, response, stream }) => [
        ...(response !== null &&
        typeof response === 'object' &&
        !('error' in response) &&
        best(response) !== `response ${name}`
          ? [`${id} ${best(response)}`]
          : []),
        ...(typeof stream === 'string' && best(stream) !== `stream ${name}` ? [`${id} ${best(stream)}`] : []),
        ...(request !== null &&
        typeof request === 'object' &&
        !detect(request).some((found) => found.name === name)
          ? [`${id} ${best(request)}`]
          : []),
      ])
      expect(wrong).toEqual([])
    },
  )
})
