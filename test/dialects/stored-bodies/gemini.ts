import { type GoldenCase, misnamed, request, response, stream, unusual } from './case.ts'

const asked = { role: 'user', parts: [{ text: 'Weather?' }] }

/** Bodies of Gemini that need every hint, mark and group of residue. */
export const cases: readonly GoldenCase[] = [
  request('without a conversation', {
    model: 'models/gemini-x',
    systemInstruction: 'Be brief.',
    contents: [],
  }),
  request('that starts and ends with an answer', {
    model: 'gemini-x',
    contents: [{ role: 'model', parts: [{ text: 'Hi' }] }],
  }),
  request('settings', {
    contents: [asked],
    generation_config: { thinkingConfig: { thinkingLevel: 'LOW', thinkingBudget: 5 }, own_key: 1 },
    tools: [
      { functionDeclarations: [{ name: 'a b', parametersJsonSchema: unusual }], codeExecution: {} },
      { functionDeclarations: [{ name: 'again', parameters: { type: 'OBJECT' } }] },
      { mcpServers: [{ name: 'library' }] },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['a b'] } },
  }),
  request('forms of messages', {
    systemInstruction: { parts: { text: 'Be brief.' } },
    contents: [
      { role: 'user', parts: [{ text: '' }, { invention: 1 }] },
      { role: 'model', parts: [] },
      { role: 'narrator', parts: [{ text: 'Once upon a time' }] },
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA', displayName: 'A' } }] },
      { role: 'model', parts: [{ text: 'One' }] },
      { role: 'model', parts: [{ text: 'Two' }] },
      asked,
    ],
    $: 1,
  }),
  request(
    'ids that the host accepts',
    {
      contents: [
        { role: 'user', parts: [{ text: 'Weather?' }] },
        { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'weather', args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'call_1', name: 'weather', response: { result: 'Snow' } } }],
        },
      ],
    },
    { flavor: 'vertex' },
  ),
  request('calls and results', {
    contents: [
      asked,
      {
        role: 'model',
        parts: [
          { text: 'Hm', thought: true },
          {
            functionCall: { name: 'weather', args: {} },
            thoughtSignature: 'skip_thought_signature_validator',
          },
          { functionCall: { name: 'clock', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { text: 'First' },
          {
            functionResponse: {
              id: 'call_b525206bbd3379c5cdb79701', // the id that is derived for the call
              name: 'weather',
              response: { output: { $ref: 'snow' } },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
            },
          },
        ],
      },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'clock', args: {} } }, { functionCall: { name: 'weather' } }],
      },
      { role: 'function', parts: [{ functionResponse: { name: 'clock', response: 'Bare' } }] },
      { role: 'function', parts: [{ functionResponse: { response: { a: 1, b: 2 } } }] },
      asked,
    ],
  }),
  response('with grounding', {
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'Hello there' }] },
        finish_reason: 'STOP',
        avgLogprobs: -0.5,
        groundingMetadata: {
          groundingChunks: [{ web: { uri: 'https://example.org/a', title: 'A page' } }],
          groundingSupports: [
            { segment: { endIndex: 5, text: 'Hello' }, groundingChunkIndices: [0], confidenceScores: [0.5] },
          ],
          retrievedText: 'Hello there',
        },
      },
    ],
    usageMetadata: {
      promptTokenCount: 1,
      candidatesTokenCount: 2,
      totalTokenCount: 6,
      toolUsePromptTokenCount: 3,
    },
    modelVersion: 'gemini-x',
    responseId: 'response-of-today',
    repeatedId: 'response-of-today',
  }),
  response('with code of the provider', {
    candidates: [
      {
        content: { role: 'model', parts: { executableCode: { language: 'PYTHON', code: 'print(1)' } } },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    modelVersion: 'gemini-x',
  }),
  response('to a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' }, modelVersion: 'gemini-x' }),
  response(
    'that calls a renamed tool',
    {
      candidates: [
        {
          content: { role: 'model', parts: [{ functionCall: { name: 'get_weather_dce3870e', args: {} } }] },
          finishReason: 'STOP',
        },
      ],
    },
    { request: misnamed },
  ),
  stream('of a text', [
    {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Sn' }] }, index: 0 }],
      modelVersion: 'gemini-x',
      own_key: 1,
    },
    {
      candidates: [
        {
          content: { role: 'model', parts: [{ text: 'ow' }] },
          finishReason: 'STOP',
          index: 0,
          avgLogprobs: -0.5,
        },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
      modelVersion: 'gemini-x',
    },
  ]),
]
