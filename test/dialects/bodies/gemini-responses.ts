import type { JsonObject } from 'interlingua'

const usage: JsonObject = {
  promptTokenCount: 11,
  candidatesTokenCount: 34,
  totalTokenCount: 45,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 11 }],
}
const said = (...parts: readonly JsonObject[]): JsonObject => ({ role: 'model', parts })
const answer = (candidate: JsonObject, more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: said({ text: 'Hello there' }), finishReason: 'STOP', index: 0, ...candidate }],
  usageMetadata: usage,
  modelVersion: 'gemini-of-tomorrow',
  responseId: 'response-of-today',
  ...more,
})

/** Responses of the API. */
export const responses: { readonly [name: string]: JsonObject } = {
  plain: answer({}),
  dated: answer({}, { createTime: '2026-01-02T03:04:05.678901Z' }),
  long: answer({ finishReason: 'MAX_TOKENS', avgLogprobs: -0.25 }),
  calls: answer(
    {
      content: said(
        { text: 'Two cities to look up', thought: true, thoughtSignature: 'dGhvdWdodA==' },
        { text: 'Let me look' },
        { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2lnbmVk' },
        { functionCall: { id: 'call_rome', name: 'weather', args: {} } },
      ),
    },
    {
      usageMetadata: {
        ...usage,
        thoughtsTokenCount: 5,
        cachedContentTokenCount: 4,
        toolUsePromptTokenCount: 6,
        totalTokenCount: 56,
      },
    },
  ),
  code: answer({
    content: said(
      { executableCode: { language: 'PYTHON', code: 'print(2+3+5+7)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '17\n' } },
      { text: 'It is 17' },
    ),
  }),
  drawn: answer({
    content: said({ text: 'Here it is' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }),
  }),
  several: {
    candidates: [
      { content: said({ text: 'One way' }), finishReason: 'STOP', index: 0 },
      { content: said({ text: 'Another way' }), finishReason: 'MAX_TOKENS', index: 1 },
    ],
    usageMetadata: usage,
    modelVersion: 'gemini-of-tomorrow',
    responseId: 'response-of-today',
  },
  grounded: answer({
    content: said({ text: 'Über Oslo fällt Schnee. In Rom scheint die Sonne.' }),
    groundingMetadata: {
      webSearchQueries: ['weather oslo rome'],
      searchEntryPoint: { renderedContent: '<div>Search</div>' },
      groundingChunks: [
        { web: { uri: 'https://example.org/uncited', title: 'Uncited page' } },
        { web: { uri: 'https://example.org/snow', title: 'Snow in Oslo' } },
        { web: { uri: 'https://example.org/sun', title: 'Sun in Rome', domain: 'example.org' } },
      ],
      groundingSupports: [
        {
          segment: { endIndex: 25, text: 'Über Oslo fällt Schnee.' },
          groundingChunkIndices: [1],
          confidenceScores: [0.75],
        },
        {
          segment: { startIndex: 26, endIndex: 51, text: 'In Rom scheint die Sonne.' },
          groundingChunkIndices: [2, 1],
        },
      ],
    },
    urlContextMetadata: {
      urlMetadata: [
        { retrievedUrl: 'https://example.org/sun', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' },
      ],
    },
  }),
  measured: answer({
    avgLogprobs: -0.5,
    logprobsResult: { chosenCandidates: [{ token: 'Hello', logProbability: -0.5, tokenId: 12 }] },
    citationMetadata: { citations: [{ startIndex: 0, endIndex: 5, uri: 'https://example.org/hello' }] },
  }),
  filtered: answer({
    content: said({ text: 'Half of' }),
    finishReason: 'SAFETY',
    finishMessage: 'Stopped for safety',
    safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'HIGH', blocked: true }],
  }),
  recited: answer({ finishReason: 'RECITATION' }),
  malformed: answer({ content: said(), finishReason: 'MALFORMED_FUNCTION_CALL' }),
  blocked: {
    promptFeedback: { blockReason: 'PROHIBITED_CONTENT', blockReasonMessage: 'Refused' },
    usageMetadata: { promptTokenCount: 11, totalTokenCount: 11 },
    modelVersion: 'gemini-of-tomorrow',
    responseId: 'response-of-today',
  },
}

/**
 * Responses in other forms, of older hosts or possible future versions; the round trip must be exact for all
 * of them.
 */
export const oddResponses: { readonly [name: string]: JsonObject } = {
  snake: {
    candidates: [
      {
        content: said(
          { text: 'Hello there', thought_signature: 'c2lnbmVk' },
          { function_call: { name: 'f', args: {} } },
        ),
        finish_reason: 'STOP',
        grounding_metadata: {
          grounding_chunks: [{ web: { uri: 'https://example.org/a', title: 'A page of a book' } }],
          grounding_supports: [{ segment: { end_index: 5, text: 'Hello' }, grounding_chunk_indices: [0] }],
        },
      },
    ],
    usage_metadata: { prompt_token_count: 3, candidates_token_count: 4, total_token_count: 7 },
    model_version: 'gemini-of-tomorrow',
    response_id: 'response-of-today',
  },
  numbers: answer({ finishReason: 1, avgLogprobs: -0.25 }, { usageMetadata: { ...usage, trafficType: 1 } }),
  'without a candidate': { usageMetadata: { promptTokenCount: 3 } },
  'without content': { candidates: [{ finishReason: 'OTHER' }], usageMetadata: { trafficType: 'ON_DEMAND' } },
  'without parts': answer({ content: { role: 'model' } }),
  'one object': answer({ content: { role: 'model', parts: { text: 'Hello there' } } }),
  'nothing said': answer({ content: said({ text: '' }), finishReason: 'FINISH_REASON_OF_TOMORROW' }),
  nulls: answer(
    { safetyRatings: null, finishMessage: null },
    { usageMetadata: { ...usage, thoughtsTokenCount: null } },
  ),
  'another kind': { name: 'cachedContents/abc', usageMetadata: { totalTokenCount: 12_345 } },
  tomorrow: answer(
    {
      content: said(
        { hologram: { beam: 'Bright light' } },
        { text: 'Spoken', speechMetadata: { speaker: 'Alto' } },
        { inlineData: { mimeType: 'audio/L16;rate=24000', data: 'AAAA' } },
        { toolCall: { id: 'tool_1', toolType: 'URL_CONTEXT', args: { urls: ['https://example.org'] } } },
        { toolResponse: { id: 'tool_1', toolType: 'URL_CONTEXT', response: { status: 'Read' } } },
      ),
      groundingMetadata: {
        groundingChunks: [{ retrievedContext: { title: 'A file', text: 'Words of it' } }],
        groundingSupports: [{ segment: { endIndex: 3 }, groundingChunkIndices: [0] }],
      },
      tokenCount: 12,
    },
    { modelStatus: { modelStage: 'STABLE' } },
  ),
}
