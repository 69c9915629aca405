import type { JsonObject } from 'interlingua'

const text = (words: string): JsonObject => ({ text: words })
const says = (role: string, ...parts: readonly JsonObject[]): JsonObject => ({ role, parts })
const user = (...parts: readonly JsonObject[]): JsonObject => says('user', ...parts)
const model = (...parts: readonly JsonObject[]): JsonObject => says('model', ...parts)
const body = (fields: JsonObject): JsonObject => ({ contents: [user(text('Hello there'))], ...fields })

const weather: JsonObject = {
  name: 'weather',
  description: 'Tells the weather',
  parametersJsonSchema: {
    type: 'object',
    properties: { city: { type: 'string', description: 'A city' } },
    required: ['city'],
  },
}
const call = (city: string, more: JsonObject = {}): JsonObject => ({
  functionCall: { name: 'weather', args: { city }, ...more },
})
const gave = (response: JsonObject, more: JsonObject = {}): JsonObject => ({
  functionResponse: { name: 'weather', response, ...more },
})

/** Requests that the API accepts. */
export const requests: { readonly [name: string]: JsonObject } = {
  plain: body({
    systemInstruction: { parts: [text('Be brief.')] },
    contents: [
      user(text('Hello there')),
      model(text('How are you?')),
      user(text('Fine, thanks'), text('And you?')),
    ],
  }),
  'a role for the instructions': body({
    systemInstruction: { role: 'user', parts: [text('Be brief.'), text('Be kind.')] },
    cachedContent: 'cachedContents/abc',
    labels: { team: 'north' },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  }),
  media: body({
    contents: [
      user(
        { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
        { inlineData: { mimeType: 'audio/mp3', data: 'SUQzBAA=' } },
        { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
        { inlineData: { mimeType: 'text/plain', data: 'UGxhaW4gd29yZHM=' } },
        {
          fileData: { mimeType: 'video/mp4', fileUri: 'https://www.youtube.com/watch?v=abc' },
          videoMetadata: { fps: 2 },
        },
        {
          fileData: {
            mimeType: 'image/jpeg',
            fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/xyz',
          },
        },
        { fileData: { mimeType: 'application/pdf', fileUri: 'gs://bucket/report.pdf' } },
        { fileData: { fileUri: 'https://example.org/page' } },
        text('Compare them'),
      ),
    ],
  }),
  loop: body({
    contents: [
      user(text('Weather in Oslo and Rome?')),
      model(
        { text: 'Two cities to look up', thought: true },
        { ...call('Oslo', { id: 'call_oslo' }), thoughtSignature: 'c2lnbmVk' },
        call('Rome', { id: 'call_rome' }),
      ),
      user(
        gave({ result: 'Snow' }, { id: 'call_oslo' }),
        gave({ output: { sky: 'Sun' } }, { id: 'call_rome' }),
      ),
      model(text('Snow in Oslo, sun in Rome'), { text: '', thoughtSignature: 'dHJhaWxpbmc=' }),
      user(text('Thanks')),
    ],
    tools: [{ functionDeclarations: [weather] }],
  }),
  'without ids': body({
    contents: [
      user(text('Weather in Oslo and Rome?')),
      model(call('Oslo'), call('Rome')),
      user(gave({ celsius: -4, sky: 'Snow' }), gave({ error: 'No such city' })),
      model(call('Oslo')),
      says('function', gave({ value: 'Snow again' })),
      user(text('And now?')),
    ],
    tools: [{ functionDeclarations: [weather] }],
  }),
  'results and words': body({
    contents: [
      user(text('Weather in Oslo?')),
      model(call('Oslo'), call('Rome')),
      user(gave({ output: 'Snow' }), gave({ output: 'Sun' }), text('Be quick'), {
        inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' },
      }),
    ],
  }),
  'media in a result': body({
    contents: [
      user(text('Map of Oslo?')),
      model(call('Oslo', { id: 'call_map' })),
      user(
        gave(
          { output: 'A map' },
          {
            id: 'call_map',
            parts: [
              { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=', displayName: 'map.png' } },
              { fileData: { mimeType: 'image/png', fileUri: 'https://example.org/map.png' } },
            ],
            scheduling: 'SILENT',
          },
        ),
      ),
    ],
  }),
  code: body({
    contents: [
      user(text('Sum of primes below 10?')),
      model(
        { executableCode: { language: 'PYTHON', code: 'print(2+3+5+7)' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '17\n' } },
        { executableCode: { language: 'PYTHON', code: 'print(1/0)', id: 'code_2' } },
        { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'ZeroDivisionError', id: 'code_2' } },
        text('It is 17'),
      ),
      user(text('Thanks')),
    ],
    tools: [{ codeExecution: {} }],
  }),
  'tools that the provider ran': body({
    contents: [
      user(text('What is new?')),
      model(
        { toolCall: { id: 'tool_1', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['news'] } } },
        { toolResponse: { id: 'tool_1', toolType: 'GOOGLE_SEARCH_WEB', response: { pages: ['One page'] } } },
        text('Nothing'),
      ),
      user(text('Thanks')),
    ],
    tools: [{ googleSearch: { excludeDomains: ['example.org'] } }, { urlContext: {} }],
    toolConfig: { includeServerSideToolInvocations: true },
  }),
  tools: body({
    tools: [
      {
        functionDeclarations: [
          weather,
          {
            name: 'clock.now',
            description: 'Tells the time',
            parameters: {
              type: 'OBJECT',
              properties: {
                zone: { type: 'STRING', nullable: true },
                parts: { type: 'ARRAY', items: { type: 'STRING', enum: ['HOUR', 'MINUTE'] } },
                either: { anyOf: [{ type: 'INTEGER' }, { type: 'BOOLEAN' }] },
              },
              propertyOrdering: ['zone', 'parts'],
            },
          },
          { name: 'ping', behavior: 'NON_BLOCKING' },
        ],
        codeExecution: {},
      },
      { functionDeclarations: [{ name: 'again', parametersJsonSchema: { type: 'object' } }] },
      { googleSearch: {} },
      { fileSearch: { fileSearchStoreNames: ['fileSearchStores/one'], topK: 3 } },
      { mcpServers: [{ name: 'library', streamableHttpTransport: { url: 'https://example.org/mcp' } }] },
    ],
    toolConfig: {
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather', 'ping'] },
      retrievalConfig: { languageCode: 'en' },
    },
  }),
  'one tool': body({
    tools: [{ functionDeclarations: [weather] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
  }),
  'some tools': body({
    tools: [{ functionDeclarations: [weather, { name: 'ping' }] }],
    toolConfig: { functionCallingConfig: { mode: 'VALIDATED', allowedFunctionNames: ['weather', 'ping'] } },
  }),
  'no tool': body({
    tools: [{ functionDeclarations: [weather] }],
    toolConfig: { functionCallingConfig: { mode: 'NONE' } },
  }),
  settings: body({
    generationConfig: {
      temperature: 0.5,
      topP: 0.25,
      topK: 40,
      maxOutputTokens: 2048,
      stopSequences: ['END', 'STOP'],
      candidateCount: 2,
      seed: 7,
      presencePenalty: 0.125,
      frequencyPenalty: -0.125,
      responseLogprobs: true,
      logprobs: 3,
      thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true },
      responseModalities: ['TEXT', 'IMAGE'],
      imageConfig: { aspectRatio: '16:9' },
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
    },
  }),
  budget: body({ generationConfig: { thinkingConfig: { thinkingBudget: 1024, includeThoughts: false } } }),
  thoughtless: body({ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }),
  dynamic: body({ generationConfig: { thinkingConfig: { thinkingBudget: -1 } } }),
  json: body({
    generationConfig: {
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', properties: { answer: { type: 'string' } } },
    },
  }),
  'json, in its own schema': body({
    generationConfig: {
      responseMimeType: 'application/json',
      responseSchema: {
        type: 'OBJECT',
        properties: { answer: { type: 'STRING', description: 'In short' } },
        required: ['answer'],
      },
    },
  }),
  'json without a schema': body({ generationConfig: { responseMimeType: 'application/json' } }),
  words: body({ generationConfig: { responseMimeType: 'text/plain' } }),
  enum: body({
    generationConfig: {
      responseMimeType: 'text/x.enum',
      responseSchema: { type: 'STRING', enum: ['Yes', 'No'] },
    },
  }),
  placeholder: body({
    contents: [
      user(text('Weather in Oslo?')),
      model({ ...call('Oslo'), thoughtSignature: 'skip_thought_signature_validator' }, call('Rome')),
      user(gave({ output: 'Snow' }), gave({ output: 'Sun' })),
    ],
  }),
}
