import type { JsonObject } from 'interlingua'

type Bodies = { readonly [name: string]: JsonObject }

export const PNG: string =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const weather: JsonObject = {
  toolSpec: {
    name: 'get_weather',
    description: 'Returns the weather of a city.',
    inputSchema: {
      json: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
}

export const hello: JsonObject = { role: 'user', content: [{ text: 'Hello' }] }

const call = { toolUse: { toolUseId: 'tooluse_A1', name: 'get_weather', input: { city: 'Oslo' } } }

export const toolTurns: readonly JsonObject[] = [
  { role: 'user', content: [{ text: 'Weather in Oslo?' }] },
  { role: 'assistant', content: [{ text: 'One moment.' }, call] },
]

export const result = (content: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  toolResult: { toolUseId: 'tooluse_A1', content, ...more },
})

/** Requests that the Converse API accepts. */
export const requests: Bodies = {
  minimal: { messages: [hello] },
  settings: {
    messages: [hello],
    system: [{ text: 'Be brief.' }, { text: 'Be kind.' }],
    inferenceConfig: { maxTokens: 500, temperature: 0.5, topP: 0.9, stopSequences: ['END', 'STOP'] },
    additionalModelRequestFields: { top_k: 40, anthropic_beta: ['beta-1'] },
    additionalModelResponseFieldPaths: ['/stop_sequence'],
    requestMetadata: { team: 'blue' },
    performanceConfig: { latency: 'optimized' },
    serviceTier: { type: 'flex' },
    guardrailConfig: { guardrailIdentifier: 'gr-1', guardrailVersion: '1', trace: 'enabled' },
  },
  'thinking with a budget': {
    messages: [hello],
    inferenceConfig: { maxTokens: 9000 },
    additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2048 } },
  },
  'adaptive thinking with an effort': {
    messages: [hello],
    additionalModelRequestFields: { thinking: { type: 'adaptive', display: 'summarized' } },
    outputConfig: { effort: 'high' },
  },
  'reasoning of Nova': {
    messages: [hello],
    additionalModelRequestFields: {
      reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' },
      inferenceConfig: { topK: 20 },
    },
  },
  'structured output': {
    messages: [hello],
    outputConfig: {
      textFormat: {
        type: 'json_schema',
        structure: {
          jsonSchema: {
            name: 'city',
            description: 'A city.',
            schema:
              '{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}',
          },
        },
      },
    },
  },
  tools: {
    messages: [
      ...toolTurns,
      { role: 'user', content: [result([{ text: 'Sunny' }])] },
      { role: 'assistant', content: [{ text: 'It is sunny.' }] },
      { role: 'user', content: [{ text: 'Thanks' }] },
    ],
    toolConfig: { tools: [weather, { systemTool: { name: 'nova_grounding' } }], toolChoice: { auto: {} } },
  },
  'tool choice any': { messages: [hello], toolConfig: { tools: [weather], toolChoice: { any: {} } } },
  'tool choice by name': {
    messages: [hello],
    toolConfig: { tools: [weather], toolChoice: { tool: { name: 'get_weather' } } },
  },
  'result with all content': {
    messages: [
      ...toolTurns,
      {
        role: 'user',
        content: [
          result(
            [
              { text: 'Sunny' },
              { json: { degrees: 21, list: [1, null] } },
              { image: { format: 'png', source: { bytes: PNG } } },
              { document: { format: 'pdf', name: 'Report', source: { bytes: 'JVBERi0x' } } },
              { video: { format: 'mp4', source: { s3Location: { uri: 's3://bucket/a.mp4' } } } },
            ],
            { status: 'success' },
          ),
          { text: 'And now?' },
        ],
      },
    ],
    toolConfig: { tools: [weather] },
  },
  'error result': {
    messages: [
      ...toolTurns,
      { role: 'user', content: [result([{ text: 'No such city' }], { status: 'error' })] },
    ],
    toolConfig: { tools: [weather] },
  },
  media: {
    messages: [
      {
        role: 'user',
        content: [
          { text: 'What is this?' },
          { image: { format: 'jpeg', source: { bytes: '/9j/4AAQ' } } },
          {
            image: {
              format: 'webp',
              source: { s3Location: { uri: 's3://bucket/b.webp', bucketOwner: '123' } },
            },
          },
          { document: { format: 'docx', name: 'Letter (1)', source: { bytes: 'UEsDBA==' } } },
          {
            document: {
              name: 'Notes',
              format: 'txt',
              source: { text: 'plain notes' },
              context: 'about notes',
              citations: { enabled: true },
            },
          },
          {
            document: {
              name: 'Pieces',
              format: 'md',
              source: { content: [{ text: 'one ' }, { text: 'two' }] },
            },
          },
          { video: { format: 'three_gp', source: { bytes: 'AAAAGGZ0eXAzZ3A=' } } },
          { audio: { format: 'mp3', source: { bytes: 'SUQzBAA=' } } },
          {
            searchResult: {
              source: 'https://example.com/a',
              title: 'A page',
              content: [{ text: 'found ' }, { text: 'text' }],
              citations: { enabled: true },
            },
          },
        ],
      },
    ],
  },
  'cache points': {
    system: [{ text: 'Long instructions' }, { cachePoint: { type: 'default' } }],
    messages: [
      {
        role: 'user',
        content: [{ text: 'Long text' }, { cachePoint: { type: 'default', ttl: '1h' } }, { text: 'Hi' }],
      },
      { role: 'assistant', content: [{ text: 'Hello.' }] },
      { role: 'user', content: [{ text: 'Bye' }, { cachePoint: { type: 'default', ttl: '5m' } }] },
    ],
    toolConfig: { tools: [weather, { cachePoint: { type: 'default' } }] },
  },
  reasoning: {
    messages: [
      { role: 'user', content: [{ text: 'Weather in Oslo?' }] },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'I need the tool.', signature: 'c2lnbmF0dXJl' } } },
          { reasoningContent: { redactedContent: 'cmVkYWN0ZWQ=' } },
          call,
        ],
      },
      { role: 'user', content: [result([{ text: 'Sunny' }])] },
    ],
    toolConfig: { tools: [weather] },
  },
  'guarded content': {
    system: [{ guardContent: { text: { text: 'Only weather.', qualifiers: ['guard_content'] } } }],
    messages: [
      {
        role: 'user',
        content: [
          { text: 'Context' },
          { guardContent: { text: { text: 'My question', qualifiers: ['query', 'grounding_source'] } } },
          { guardContent: { text: { text: 'Its details' } } },
          { guardContent: { image: { format: 'png', source: { bytes: PNG } } } },
        ],
      },
    ],
  },
  citations: {
    messages: [
      hello,
      {
        role: 'assistant',
        content: [
          {
            citationsContent: {
              content: [{ text: 'The sky is blue.' }],
              citations: [
                {
                  title: 'Sky',
                  source: 'doc-1',
                  sourceContent: [{ text: 'blue sky' }],
                  location: { documentPage: { documentIndex: 0, start: 1, end: 2 } },
                },
                { title: 'Web', location: { web: { url: 'https://example.com', domain: 'example.com' } } },
                { location: { searchResultLocation: { searchResultIndex: 1, start: 0, end: 3 } } },
              ],
            },
          },
        ],
      },
      { role: 'user', content: [{ text: 'Sure?' }] },
    ],
  },
  'executed by the provider': {
    messages: [
      hello,
      {
        role: 'assistant',
        content: [
          { toolUse: { toolUseId: 'srv_1', name: 'nova_grounding', input: {}, type: 'server_tool_use' } },
          { toolResult: { toolUseId: 'srv_1', type: 'nova_grounding_result', content: [{ text: 'Found' }] } },
          { text: 'Done.' },
        ],
      },
      { role: 'user', content: [{ text: 'More' }] },
    ],
    toolConfig: { tools: [{ systemTool: { name: 'nova_grounding' } }] },
  },
}
