import type { JsonObject } from 'interlingua'

const text = (words: string): JsonObject => ({ text: words })
const body = (fields: JsonObject): JsonObject => ({
  contents: [{ role: 'user', parts: [text('Hello there')] }],
  ...fields,
})

/**
 * Requests in other spellings and forms, of other clients or possible future versions; the round trip must be
 * exact for all of them.
 */
export const oddRequests: { readonly [name: string]: JsonObject } = {
  // Google refuses results in separate contents; some clients send them.
  'results apart': body({
    contents: [
      { role: 'user', parts: [text('Weather in Oslo and Rome?')] },
      {
        role: 'model',
        parts: ['Oslo', 'Rome'].map((city) => ({ functionCall: { name: 'weather', args: { city } } })),
      },
      ...['user', 'function'].map((role) => ({
        role,
        parts: [{ functionResponse: { name: 'weather', response: { output: 'Snow' } } }],
      })),
      { role: 'model', parts: [text('Snow and snow')] },
      { role: 'model', parts: [text('That is all')] },
      { role: 'user', parts: [text('Thanks')] },
      { role: 'user', parts: [text('Bye')] },
    ],
  }),
  snake: body({
    system_instruction: { parts: [text('Be brief.')] },
    contents: [
      {
        role: 'user',
        parts: [
          { inline_data: { mime_type: 'image/png', data: 'iVBORw0KGgo=' } },
          { file_data: { mime_type: 'application/pdf', file_uri: 'https://example.org/a.pdf' } },
        ],
      },
      {
        role: 'model',
        parts: [
          {
            function_call: { name: 'weather', args: { city_name: 'Oslo', dayCount: 2 } },
            thought_signature: 'c2ln',
          },
        ],
      },
      { role: 'user', parts: [{ function_response: { name: 'weather', response: { output: 'Snow' } } }] },
    ],
    tools: [
      { function_declarations: [{ name: 'weather', parameters_json_schema: { type: 'object' } }] },
      { google_search: {} },
      { url_context: {} },
    ],
    tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['weather'] } },
    generation_config: {
      top_p: 0.25,
      top_k: 40,
      max_output_tokens: 2048,
      stop_sequences: ['END'],
      response_mime_type: 'application/json',
      response_json_schema: { type: 'object' },
      thinking_config: { thinking_budget: 1024, include_thoughts: true },
    },
    safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  }),
  'both spellings': body({
    systemInstruction: { parts: [text('Be brief.')] },
    contents: [
      {
        role: 'model',
        parts: [{ functionCall: { name: 'weather', args: {} }, thought_signature: 'c2ln' }],
      },
      {
        role: 'user',
        parts: [
          { inlineData: { mime_type: 'image/png', data: 'iVBORw0KGgo=' } },
          { inline_data: 5, text: 'Odd' },
        ],
      },
    ],
    generationConfig: {
      topP: 0.5,
      top_k: 3,
      response_mime_type: 'application/json',
      response_schema: { type: 'OBJECT' },
    },
    generation_config: { seed: 3 },
    tools: [{ functionDeclarations: [{ name: 'weather', parameters_json_schema: { type: 'object' } }] }],
  }),
  numbers: body({
    tools: [
      {
        functionDeclarations: [
          { name: 'weather', parameters: { type: 6, properties: { city: { type: 1 }, days: { type: 3 } } } },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 1 } },
    model: 'models/gemini-2.0-flash',
  }),
  'a name in the body': body({ model: 'tunedModels/mine', tools: [] }),
  'one object': body({
    systemInstruction: { parts: text('Be brief.') },
    contents: [{ role: 'user', parts: text('Hello there') }, { parts: [text('Without a role')] }],
  }),
  'words as instructions': body({ systemInstruction: 'Be brief.' }),
  'no words as instructions': body({ systemInstruction: { parts: [text('')] } }),
  empty: body({
    systemInstruction: { parts: [] },
    contents: [
      { role: 'user', parts: [] },
      { role: 'model', parts: [text('')] },
      { role: 'user', parts: [text('Still here')], ownKey: 'kept' },
      { role: 'model', parts: [text('Last words')] },
    ],
    generationConfig: { temperature: null, stopSequences: [] },
  }),
  'begins with an answer': { contents: [{ role: 'model', parts: [text('Hello there')] }] },
  results: body({
    contents: [
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'Snow' } } }] },
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: { a: 1 } } }] },
      {
        role: 'user',
        parts: [text('Wait'), { functionResponse: { name: 'weather', response: { result: [1, 2] } } }],
      },
      { role: 'model', parts: [{ functionCall: { name: 'weather' } }, { functionCall: { name: 'clock' } }] },
      { role: 'user', parts: [text('Between')] },
      { role: 'function', parts: [{ functionResponse: { name: 'clock', response: {} } }], ownKey: 'kept' },
      { role: 'function', parts: [{ functionResponse: { response: { results: ['a', 'b'] } } }] },
      { role: 'function', parts: [{ functionResponse: { name: 'weather', response: 'Bare words' } }] },
    ],
  }),
  tomorrow: body({
    contents: [
      { role: 'user', parts: [{ hologram: { beam: 'Bright light' } }, text('Look at this')] },
      {
        role: 'model',
        parts: [
          {
            functionCall: { name: 'weather', args: {} },
            partMetadata: { seen: 'Once' },
            thoughtSignature: '',
          },
          { text: 'Half a thought', thought: true, thoughtSignature: 'dGhvdWdodA==' },
          { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' }, thought: true },
          { functionCall: { args: { nameless: 'Call' } } },
          { text: 'Spoken', speechMetadata: { speaker: 'Alto' } },
        ],
      },
      { role: 'system', parts: [text('Of tomorrow')] },
      { role: 'user', parts: [{ text: 'Measured', mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' } }] },
    ],
    tools: [
      { telescope: { reach: 12 } },
      { functionDeclarations: [{ name: 'weather' }, { nameless: 'A tool' }] },
      { functionDeclarations: [] },
      {},
    ],
    toolConfig: { functionCallingConfig: { mode: 'MODE_OF_TOMORROW' } },
    store: true,
    continuationToken: 'token-of-before',
  }),
}
