import {
  assistant,
  type ChatRequest,
  type Dialect,
  dialects,
  file,
  type JsonObject,
  type Message,
  user,
} from 'interlingua'
import { bedrockDialect } from 'interlingua/dialects/bedrock'
import { describe, expect, test } from 'vitest'
import { findRequestProblems } from 'interlingua/testing/providers'

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'

function encode(request: ChatRequest): { readonly body: JsonObject; readonly rules: readonly string[] } {
  const { value, losses } = bedrockDialect.encodeRequest(request)
  return { body: value, rules: losses.map(({ rule, path }) => `${rule} ${path}`) }
}

const callMessages = (id: string): readonly Message[] => [
  user('Weather?'),
  assistant([{ type: 'tool-call', id, name: 'weather', arguments: { city: 'Oslo' } }]),
  {
    id: 'm3',
    role: 'tool',
    content: [{ type: 'tool-result', callId: id, content: [{ type: 'text', text: 'No' }], isError: true }],
  },
]

describe('bedrock requests', () => {
  test('a conversation with calls gets declarations of the called tools', () => {
    const { body, rules } = encode({ model: CLAUDE, messages: callMessages('call_1') })
    expect(body['toolConfig']).toMatchObject({ tools: [{ toolSpec: { name: 'weather' } }] })
    expect(rules).toContain('called-tools /tools')
  })

  test('the tool choice none omits tools, unless the conversation has calls', () => {
    const tools = [{ type: 'function', name: 'weather', input: { type: 'object' } }] as const
    const without = encode({ model: CLAUDE, messages: [user('Hi')], tools, toolChoice: 'none' })
    expect(without.body['toolConfig']).toBeUndefined()
    expect(without.rules).toContain('allowed-tools /tools/0')
    const withCalls = encode({ model: CLAUDE, messages: callMessages('call_1'), tools, toolChoice: 'none' })
    expect(withCalls.body['toolConfig']).toMatchObject({ tools: [{ toolSpec: { name: 'weather' } }] })
    expect(withCalls.rules).toContain('no-field /toolChoice')
  })

  test('documents get valid and unique names, and a text beside them', () => {
    const pdf = { data: 'JVBERi0x', mediaType: 'application/pdf' }
    const content = [
      file(pdf, { name: 'John’s_report.v2.pdf' }),
      file(pdf),
      file(pdf),
      file(pdf, { name: 'Document' }),
    ]
    const { body, rules } = encode({ model: CLAUDE, messages: [user(content)] })
    const [message] = body['messages'] as readonly { readonly content: readonly JsonObject[] }[]
    expect(message?.content.map(({ text, document }) => text ?? (document as JsonObject)['name'])).toEqual([
      '(document attached)',
      'John s report v2',
      'document',
      'document (2)',
      'Document (3)',
    ])
    expect(rules).toEqual(
      expect.arrayContaining([
        'document-text /messages/0',
        'file-renamed /messages/0/content/0/name',
        'file-named /messages/0/content/1',
      ]),
    )
  })

  test('the vendor of the model decides about reasoning, topK, call ids and the status of results', () => {
    const request = { messages: [user('Hi')], reasoning: { effort: 'high' }, topK: 5 } as const
    const fieldsOf = (model: string): unknown =>
      encode({ ...request, model }).body['additionalModelRequestFields']
    expect(fieldsOf('amazon.nova-2-lite-v1:0')).toEqual({
      reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' },
    })
    // Claude refuses top_k while it thinks.
    expect(fieldsOf(CLAUDE)).toMatchObject({ thinking: { type: 'enabled' } })
    const sampled = encode({ messages: [user('Hi')], topK: 5, model: CLAUDE }).body
    expect(sampled['additionalModelRequestFields']).toEqual({ top_k: 5 })
    expect(fieldsOf('openai.gpt-oss-120b-1:0')).toEqual({ reasoning_effort: 'high' })
    expect(fieldsOf('us.meta.llama4-maverick-17b-instruct-v1:0')).toBeUndefined()
    const mistral = encode({ model: 'mistral.mistral-large-2407-v1:0', messages: callMessages('call_1') })
    const text = JSON.stringify(mistral.body)
    expect(text).toMatch(/"toolUseId":"[a-zA-Z0-9]{9}"/)
    expect(text).not.toContain('"status"')
    expect(mistral.rules).toContain('error-as-text /messages/2/content/0')
    expect(JSON.stringify(encode({ model: CLAUDE, messages: callMessages('call_1') }).body)).toContain(
      '"status":"error"',
    )
  })

  test.each(['low', 'medium', 'high', 'max'] as const)(
    'Nova accepts the settings that it gets with the effort %s',
    (effort) => {
      const model = 'us.amazon.nova-2-lite-v1:0'
      const sampling = { temperature: 0.5, topP: 0.5, topK: 5, maxOutputTokens: 99 }
      const { body, rules } = encode({ model, messages: [user('Hi')], reasoning: { effort }, ...sampling })
      expect(findRequestProblems('bedrock', body, { model })).toEqual([])
      const isHighest = effort === 'high' || effort === 'max'
      expect(body['inferenceConfig']).toEqual(
        isHighest ? undefined : { maxTokens: 99, temperature: 0.5, topP: 0.5 },
      )
      expect(rules.filter((rule) => rule.startsWith('model-setting'))).toHaveLength(isHighest ? 4 : 0)
    },
  )

  test('calls of a tool of the host, and their results, get the ids that the model accepts', () => {
    const toolUse = { toolUseId: 'srv_1', name: 'nova_grounding', input: {}, type: 'server_tool_use' }
    const toolResult = { toolUseId: 'srv_1', content: [{ text: 'Sunny' }] }
    const body = {
      modelId: 'amazon.nova-2-lite-v1:0',
      messages: [
        { role: 'user', content: [{ text: 'Weather?' }] },
        { role: 'assistant', content: [{ toolUse }, { toolResult }, { text: 'Sunny.' }] },
        { role: 'user', content: [{ text: 'And now?' }] },
      ],
    }
    const request = bedrockDialect.decodeRequest(body).value
    const ids = JSON.stringify(encode({ ...request, model: 'mistral.mistral-large-4' }).body).matchAll(
      /"toolUseId":"([a-zA-Z0-9]{9})"/g,
    )
    const [call, result] = Array.from(ids, ([, id]) => id)
    expect(call).toBeDefined()
    expect(result).toBe(call)
    expect(JSON.stringify(encode(request).body)).toContain('"srv_1"')
  })

  test('signed reasoning of Claude crosses between anthropic and bedrock in both directions', () => {
    const thinking = { type: 'thinking', thinking: 'Hm', signature: 'c2ln' }
    const anthropicBody = {
      model: 'claude-sonnet-4-5',
      max_tokens: 9000,
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [thinking, { type: 'redacted_thinking', data: 'cmVk' }, { type: 'text', text: 'Yo' }],
        },
        { role: 'user', content: 'Bye' },
      ],
    }
    const { value: request } = dialects.anthropic.decodeRequest(anthropicBody)
    const { body } = encode({ ...request, model: CLAUDE })
    const blocks = (body['messages'] as readonly { readonly content: JsonObject[] }[])[1]?.content
    expect(blocks).toEqual([
      { reasoningContent: { reasoningText: { text: 'Hm', signature: 'c2ln' } } },
      { reasoningContent: { redactedContent: 'cmVk' } },
      { text: 'Yo' },
    ])
    const back = bedrockDialect.decodeRequest(body, {
      path: `/model/${encodeURIComponent(CLAUDE)}/converse`,
    }).value
    const sent = dialects.anthropic.encodeRequest(back, { model: 'claude-sonnet-4-5' }).value
    expect(sent.messages[1]?.content).toEqual(anthropicBody.messages[1]?.content)
  })

  test('the mark of guarded text is a loss for every other dialect', () => {
    const guarded = { guardContent: { text: { text: 'My question' } } }
    const body = { messages: [{ role: 'user', content: [{ text: 'Context' }, guarded] }] }
    const request = bedrockDialect.decodeRequest(body).value
    expect(bedrockDialect.encodeRequest(request)).toEqual({ value: body, losses: [] })
    const all: readonly Dialect[] = Object.values(dialects)
    for (const other of all.filter(({ name }) => name !== 'bedrock')) {
      const { value, losses } = other.encodeRequest({ ...request, model: 'm' })
      expect(JSON.stringify(value)).toContain('My question')
      expect(losses).toContainEqual(
        expect.objectContaining({
          rule: 'foreign-residue',
          severity: 'loss',
          path: '/messages/0/content/1/extra/bedrock/$/hints/guardContent',
        }),
      )
    }
  })

  test('prompt caching marks tools, instructions and the last turns for Claude only', () => {
    const request: ChatRequest = {
      messages: [{ id: 's', role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }, user('Hi')],
      tools: [{ type: 'function', name: 'weather', input: { type: 'object' } }],
    }
    const count = (model: string): number => {
      const { value } = bedrockDialect.encodeRequest(request, { model, promptCaching: true })
      return JSON.stringify(value).match(/"cachePoint"/g)?.length ?? 0
    }
    expect(count(CLAUDE)).toBe(3)
    expect(count('amazon.nova-pro-v1:0')).toBe(0)
  })

  test('the path contains the model as one segment', () => {
    const arn = 'arn:aws:bedrock:us-east-1:1:inference-profile/x'
    const { path } = bedrockDialect.endpoint({ model: arn, messages: [], stream: true })
    expect(path).toBe(`/model/${encodeURIComponent(arn)}/converse-stream`)
    expect(bedrockDialect.decodeRequest({ messages: [] }, { path }).value).toMatchObject({
      model: arn,
      stream: true,
    })
  })
})
