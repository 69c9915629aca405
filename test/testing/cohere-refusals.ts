import type { JsonObject } from 'interlingua'

const hello = { role: 'user', content: 'Hi' }
const call = (id: string, given = '{}'): JsonObject => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: given },
})
const called = (...ids: readonly string[]): JsonObject => ({
  role: 'assistant',
  tool_calls: ids.map((id) => call(id)),
})
const toolMessage = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'x' })
const conversation = (...messages: readonly JsonObject[]): JsonObject => ({ messages: [hello, ...messages] })
const withArguments = (given: string): JsonObject =>
  conversation({ role: 'assistant', tool_calls: [call('a', given)] }, toolMessage('a'))
const withTool = (name: string, parameters: JsonObject = { type: 'object' }): JsonObject => ({
  messages: [hello],
  tools: [{ type: 'function', function: { name, parameters } }],
})
const numbered = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }]))
const json = { response_format: { type: 'json_object' } }

/** Bodies that break each rule of Cohere. */
export const cohereRefusals: { readonly [rule: string]: readonly JsonObject[] } = {
  messages: [{ messages: [] }],
  content: [
    { messages: [{ role: 'user', content: '' }] },
    { messages: [{ role: 'user', content: [] }, hello] },
    conversation({ role: 'assistant', content: [{ type: 'text', text: '' }] }, hello),
  ],
  'no-text-beside-calls': [
    conversation({ ...called('a'), content: 'Let me look' }, toolMessage('a')),
    conversation(
      {
        ...called('a'),
        content: [
          { type: 'thinking', thinking: 'Hm' },
          { type: 'text', text: 'Let me look' },
        ],
      },
      toolMessage('a'),
    ),
  ],
  'calls-have-results': [
    conversation(called('a', 'b'), toolMessage('a')),
    conversation(called('a'), hello, toolMessage('a')),
  ],
  'results-have-calls': [conversation(toolMessage('a')), conversation(toolMessage('a'), called('a'))],
  'unique-call-ids': [
    conversation(called('a', 'a'), toolMessage('a')),
    conversation(called('a'), toolMessage('a'), called('a'), toolMessage('a')),
  ],
  'call-arguments': [withArguments(''), withArguments('[]'), withArguments('{"city": ')],
  'tool-names': [withTool('a-b'), withTool('1a'), withTool('a.b')],
  'tool-choice-needs-tools': [{ messages: [hello], tool_choice: 'REQUIRED' }],
  'output-without-tools': [
    { ...withTool('f'), ...json },
    { messages: [hello], documents: ['The emperor is tall.'], ...json },
  ],
  'strict-tools-require-parameters': [
    { ...withTool('f', { type: 'object', properties: { a: { type: 'string' } } }), strict_tools: true },
    {
      ...withTool('f', {
        type: 'object',
        properties: { a: { type: 'object', properties: { b: { type: 'string' } } } },
        required: ['a'],
      }),
      strict_tools: true,
    },
  ],
  'strict-tools-fields': [
    {
      ...withTool('f', { type: 'object', properties: numbered(201), required: ['p0'] }),
      strict_tools: true,
    },
  ],
  'output-schema': [
    { messages: [hello], response_format: { type: 'json_object', json_schema: { type: 'array' } } },
    { messages: [hello], response_format: { type: 'json_object', schema: { type: 'array' } } },
    {
      messages: [hello],
      response_format: { type: 'json_object', json_schema: { type: 'object', properties: { a: {} } } },
    },
  ],
  documents: [
    { messages: [hello], documents: [{ data: {} }] },
    {
      messages: [hello],
      documents: [
        { id: 'a', data: { text: 'x' } },
        { id: 'a', data: { text: 'y' } },
      ],
    },
  ],
  'stop-sequences': [{ messages: [hello], stop_sequences: ['1', '2', '3', '4', '5', '6'] }],
  settings: [
    { messages: [hello], temperature: 2 },
    { messages: [hello], p: 1 },
    { messages: [hello], k: 501 },
    { messages: [hello], frequency_penalty: -1 },
    { messages: [hello], max_tokens: -1 },
  ],
  'thinking-budget': [{ messages: [hello], thinking: { type: 'enabled', token_budget: 0 } }],
  'model-media': [
    {
      model: 'command-a-03-2025',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.b/c' } }] }],
    },
  ],
}
