import type { JsonObject } from 'interlingua'
import { hello, PNG, result, toolTurns, weather } from './bedrock-requests.ts'

/** Requests that the API refuses, or that newer versions may have. */
export const oddRequests: { readonly [name: string]: JsonObject } = {
  empty: {},
  'no messages': { messages: [] },
  'model in the body': { modelId: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', messages: [hello] },
  'blank texts': {
    system: [{ text: '' }],
    messages: [{ role: 'user', content: [{ text: '' }, { text: '  ' }] }],
  },
  'empty content': {
    system: [],
    messages: [{ role: 'user', content: [] }, hello],
    toolConfig: { tools: [] },
  },
  'content is text': { messages: [{ role: 'user', content: 'Hello' }] },
  'neighbours of one role': { messages: [hello, hello, { role: 'assistant', content: [{ text: 'Hi ' }] }] },
  'assistant first': { messages: [{ role: 'assistant', content: [{ text: 'Hi' }] }, hello] },
  'system role': { messages: [hello, { role: 'system', content: [{ text: 'Be brief.' }] }, hello] },
  'unknown role': { messages: [{ role: 'critic', content: [{ text: 'Hm' }] }] },
  'calls without tools': {
    messages: [...toolTurns, { role: 'user', content: [result([])] }],
  },
  'silent error': {
    messages: [...toolTurns, { role: 'user', content: [result([], { status: 'error' })] }],
    toolConfig: { tools: [weather] },
  },
  'call without a result': { messages: [...toolTurns, hello], toolConfig: { tools: [weather] } },
  'result without a call': {
    messages: [{ role: 'user', content: [result([{ text: 'Sunny' }])] }],
    toolConfig: { tools: [weather] },
  },
  'result of the host without a call': {
    messages: [
      hello,
      { role: 'assistant', content: [result([{ text: 'Sunny' }]), { text: 'It is sunny.' }] },
      hello,
    ],
    toolConfig: { tools: [weather] },
  },
  'unusual cache points': {
    system: [{ cachePoint: { type: 'default' } }, { text: 'a' }],
    messages: [
      {
        role: 'user',
        content: [
          { cachePoint: { type: 'default' } },
          { text: 'a' },
          { cachePoint: { type: 'default' } },
          { cachePoint: { type: 'default' } },
          { text: 'b' },
          { cachePoint: { type: 'new', ttl: '9h' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'Hm', signature: 's' } } },
          { cachePoint: { type: 'default' } },
          { text: 'c' },
          { cachePoint: { type: 'default', ttl: '5m' } },
        ],
      },
      { role: 'user', content: [{ text: 'd' }, { cachePoint: { type: 'default' } }] },
    ],
    toolConfig: {
      tools: [{ cachePoint: { type: 'default' } }, weather, { cachePoint: { type: 'default' } }],
    },
  },
  'six cache points': {
    messages: [
      {
        role: 'user',
        content: ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((text) => [
          { text },
          { cachePoint: { type: 'default' } },
        ]),
      },
    ],
  },
  documents: {
    messages: [
      {
        role: 'user',
        content: [
          { document: { format: 'pdf', name: 'a.b_c  d', source: { bytes: 'JVBERi0x' } } },
          { document: { format: 'pdf', name: 'Twice', source: { bytes: 'JVBERi0x' } } },
          { document: { format: 'pdf', name: 'twice', source: { bytes: 'JVBERi0x' } } },
          { document: { format: 'pages', name: 'Other', source: { bytes: 'JVBERi0x' } } },
          { document: { name: 'No format', source: { bytes: 'JVBERi0x' } } },
        ],
      },
    ],
  },
  'unsigned reasoning': {
    messages: [
      hello,
      {
        role: 'assistant',
        content: [{ reasoningContent: { reasoningText: { text: 'Hm' } } }, { text: 'Hi' }],
      },
      hello,
    ],
  },
  'image in an answer': {
    messages: [
      hello,
      {
        role: 'assistant',
        content: [{ image: { format: 'png', source: { bytes: PNG } } }, { text: 'A dot' }],
      },
      hello,
    ],
  },
  'hot and wide': {
    messages: [hello],
    inferenceConfig: { temperature: 1.5, maxTokens: null, topP: 'x' },
    serviceTier: { type: 'express' },
    outputConfig: { effort: 'huge', textFormat: { type: 'text' } },
    requestMetadata: { a: 1 },
    additionalModelRequestFields: { thinking: { type: 'between_tools' } },
  },
  'spaced schema': {
    messages: [hello],
    outputConfig: {
      textFormat: {
        type: 'json_schema',
        structure: { jsonSchema: { schema: '{ "type": "object", "minProperties": 2 }' } },
      },
    },
  },
  'unusual tools': {
    messages: [hello],
    toolConfig: {
      tools: [
        {
          toolSpec: { name: 'a b', description: '', inputSchema: { json: { type: 'string' } }, strict: true },
        },
        weather,
        weather,
        { future: { name: 'x' } },
        { toolSpec: { name: 'bad', inputSchema: {} } },
      ],
      toolChoice: { future: {} },
    },
  },
  'new blocks': {
    messages: [
      {
        role: 'user',
        content: [
          { toolAddition: { tool: { type: 'function', name: 'x' } } },
          { text: 'a', note: 1 },
          {},
          'text',
          { image: { format: 'tiff', source: { bytes: 'SUkqAA==' } } },
        ],
      },
    ],
  },
  'tools that are no objects': {
    messages: [hello],
    toolConfig: { tools: [[], [weather], null, 'x'], toolChoice: { any: {} } },
  },
  'reasoning of GPT': {
    messages: [hello],
    additionalModelRequestFields: { reasoning: { effort: 'low' }, verbosity: 'low' },
  },
  'reasoning of gpt-oss': { messages: [hello], additionalModelRequestFields: { reasoning_effort: 'high' } },
}
