import type { JsonObject } from 'interlingua'

const user = (...content: readonly JsonObject[]): JsonObject => ({ role: 'user', content })
const answer = (...content: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content })
const hello = user({ text: 'Hi' })
const use = (toolUseId: string, name = 'f'): JsonObject => ({ toolUse: { toolUseId, name, input: {} } })
const result = (toolUseId: string): JsonObject => ({ toolResult: { toolUseId, content: [{ text: 'x' }] } })
const tool = (name: string, fields: JsonObject = {}): JsonObject => ({
  toolSpec: { name, inputSchema: { json: { type: 'object' } }, ...fields },
})
const withTools = (messages: readonly JsonObject[], ...tools: readonly JsonObject[]): JsonObject => ({
  messages: [...messages],
  toolConfig: { tools: tools.length === 0 ? [tool('f')] : [...tools] },
})
const file = (name: string): JsonObject => ({
  document: { name, format: 'pdf', source: { bytes: 'JVBERi0=' } },
})
const point = { cachePoint: { type: 'default' } }

/** Bodies that break each rule of Bedrock. */
export const bedrockRefusals: { readonly [rule: string]: readonly JsonObject[] } = {
  'user-first': [{ messages: [] }, { messages: [answer({ text: 'Hi' }), hello] }],
  'turn-order': [
    { messages: [hello, hello] },
    { messages: [hello, answer({ text: 'a' }), answer({ text: 'b' })] },
  ],
  'one-member': [
    { messages: [user({ text: 'Hi', cachePoint: { type: 'default' } })] },
    withTools([hello], { ...tool('f'), ...point }),
  ],
  content: [{ messages: [user()] }],
  'blank-text': [{ messages: [user({ text: ' ' })] }],
  'calls-have-results': [
    withTools([hello, answer(use('a'), use('b')), user(result('a'))]),
    withTools([hello, answer(use('a'))]),
  ],
  'results-have-calls': [
    withTools([user(result('a'))]),
    withTools([hello, answer(use('a')), user(result('a'), result('a'))]),
  ],
  'tool-config': [
    { messages: [hello, answer(use('a')), user(result('a'))] },
    { messages: [hello], toolConfig: { tools: [] } },
  ],
  'call-ids': [withTools([hello, answer(use('a.b')), user(result('a.b'))])],
  'tool-names': [
    withTools([hello], tool('a.b')),
    withTools([hello], tool('f'), tool('f')),
    withTools([hello, answer(use('a', 'x y')), user(result('a'))]),
  ],
  'tool-description': [withTools([hello], tool('f', { description: '' }))],
  'document-names': [
    { messages: [user({ text: 'Hi' }, file('a.pdf'))] },
    { messages: [user({ text: 'Hi' }, file('a'), file('a'))] },
  ],
  'document-text': [{ messages: [user(file('a'))] }],
  'cache-points': [{ messages: [user({ text: 'Hi' }, point, point, point, point, point)] }],
  settings: [
    { messages: [hello], inferenceConfig: { temperature: 1.5 } },
    { messages: [hello], inferenceConfig: { topP: -1 } },
  ],
  'model-max-effort': ['maxTokens', 'temperature', 'topP'].map((key) => ({
    model: 'amazon.nova-2-lite-v1:0',
    messages: [hello],
    inferenceConfig: { [key]: 1 },
    additionalModelRequestFields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } },
  })),
  'model-media': [
    {
      modelId: 'amazon.nova-micro-v1:0',
      messages: [{ role: 'user', content: [{ image: { format: 'png', source: { bytes: 'aGk=' } } }] }],
    },
  ],
}
