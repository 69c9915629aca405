import type { JsonObject } from 'interlingua'

const functionCall = (id: string): JsonObject => ({ type: 'function_call', id, name: 'f', arguments: {} })
const functionResult = (id: string): JsonObject => ({
  type: 'function_result',
  call_id: id,
  name: 'f',
  result: 'x',
})

/** Bodies that break each rule of Google's Interactions API. */
export const interactionsRefusals: { readonly [rule: string]: readonly JsonObject[] } = {
  'model-or-agent': [{ input: 'Hi' }, { model: 'm', agent: 'a', input: 'Hi' }],
  input: [{ model: 'm' }, { model: 'm', input: [] }, { model: 'm', input: '' }],
  'agents-have-no-generation-config': [{ agent: 'a', generation_config: {} }],
  'background-needs-store': [{ background: true, store: false }],
  'content-in-steps': [
    { input: [{ type: 'user_input', content: [] }] },
    { input: [{ type: 'model_output', content: [{ type: 'text', text: '' }] }] },
  ],
  'results-have-calls': [
    { input: [functionResult('a')] },
    { input: [functionCall('a'), { ...functionResult('a'), name: '' }] },
  ],
  'calls-have-results': [{ input: [functionCall('a')] }],
  'stop-sequences': [{ generation_config: { stop_sequences: ['a', 'b', 'c', 'd', 'e', 'f'] } }],
  'tool-choice-needs-functions': [
    { generation_config: { tool_choice: 'auto' }, tools: [{ type: 'google_search' }] },
  ],
  'function-names': [{ tools: [{ type: 'function', name: '1a' }] }],
  'unique-functions': [
    {
      tools: [
        { type: 'function', name: 'a' },
        { type: 'function', name: 'a' },
      ],
    },
  ],
  'model-thinking-level': [
    { model: 'gemini-2.5-pro', generation_config: { thinking_level: 'minimal' } },
    { model: 'gemini-3-pro-preview', generation_config: { thinking_level: 'medium' } },
  ],
  'model-signatures': [{ model: 'gemini-3-flash', input: [functionCall('a'), functionResult('a')] }],
}
