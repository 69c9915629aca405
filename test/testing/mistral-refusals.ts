import type { JsonObject } from 'interlingua'

const call = (id: string): JsonObject => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
const called = (...ids: readonly string[]): JsonObject => {
  return { role: 'assistant', content: '', tool_calls: ids.map(call) }
}
const toolMessage = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'x' })
const declare = (name: string): JsonObject => ({
  messages: [{ role: 'user', content: 'x' }],
  tools: [{ type: 'function', function: { name } }],
})

/** Bodies that break each rule of Mistral. */
export const mistralRefusals: { readonly [rule: string]: readonly JsonObject[] } = {
  messages: [{ messages: [] }, { messages: [{ role: 'assistant', content: 'Hi' }] }],
  'turn-order': [
    { messages: [called('aB3dE5gH7'), toolMessage('aB3dE5gH7'), { role: 'system', content: 'Hi' }] },
    { messages: [{ role: 'user', content: 'Hi' }, toolMessage('aB3dE5gH7')] },
    {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hi' },
        { role: 'system', content: 'Hi' },
      ],
    },
  ],
  'last-message': [
    {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hi' },
      ],
    },
  ],
  'prefix-is-last': [
    {
      messages: [
        { role: 'assistant', content: 'Hi', prefix: true },
        { role: 'user', content: 'Hi' },
      ],
    },
  ],
  'calls-have-results': [
    {
      messages: [
        called('aB3dE5gH7', 'Zx9Yw8Vu7'),
        toolMessage('aB3dE5gH7'),
        { role: 'assistant', content: 'x', prefix: true },
      ],
    },
  ],
  'results-have-calls': [
    { messages: [called('aB3dE5gH7'), toolMessage('Zx9Yw8Vu7')] },
    {
      messages: [called('aB3dE5gH7', 'Zx9Yw8Vu7'), toolMessage('aB3dE5gH7'), toolMessage('aB3dE5gH7')],
    },
  ],
  'call-ids': [{ messages: [called('call_1'), toolMessage('call_1')] }],
  'tool-names': [declare('a.b'), declare('x'.repeat(65))],
  temperature: [{ temperature: 1.6 }],
  'model-media': [
    {
      model: 'codestral-latest',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'https://a.b/c' }] }],
    },
  ],
}
