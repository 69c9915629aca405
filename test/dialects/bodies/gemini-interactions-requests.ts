import type { JsonObject } from 'interlingua'

const parameters = { type: 'object', properties: { city: { type: 'string', description: 'Name of a city' } } }
const weather = { type: 'function', name: 'weather', description: 'Current weather', parameters }
const text = (words: string, fields: JsonObject = {}): JsonObject => ({
  type: 'text',
  text: words,
  ...fields,
})
const user = (...content: readonly JsonObject[]): JsonObject => ({ type: 'user_input', content })
const output = (...content: readonly JsonObject[]): JsonObject => ({ type: 'model_output', content })
const thought = (signature: string, fields: JsonObject = {}): JsonObject => ({
  type: 'thought',
  signature,
  ...fields,
})
const call = (id: string, city: string): JsonObject => ({
  type: 'function_call',
  id,
  name: 'weather',
  arguments: { city },
})
const body = (fields: JsonObject): JsonObject => ({
  model: 'gemini-of-tomorrow',
  input: [user(text('Hello there'))],
  ...fields,
})

/** The first bytes of a PNG image. */
const png = 'iVBORw0KGgoAAAANSUhEUg=='

/** Requests written by hand after the public documentation: every kind of step, content, tool and setting. */
export const requests: { readonly [name: string]: JsonObject } = {
  plain: body({
    system_instruction: 'Be brief.',
    input: [user(text('Hello there')), output(text('How are you?')), user(text('Fine, thanks'))],
  }),
  words: body({ input: 'Tell me a joke about rivers', stream: true }),
  content: body({ input: text('Only one content') }),
  contents: body({
    input: [text('What is this?'), { type: 'image', data: png, mime_type: 'image/png', resolution: 'low' }],
  }),
  media: body({
    input: [
      user(
        text('Compare these'),
        { type: 'image', uri: 'https://example.com/cat.png', mime_type: 'image/png' },
        {
          type: 'image',
          uri: 'https://generativelanguage.googleapis.com/v1beta/files/abc123',
          mime_type: 'image/png',
        },
        { type: 'audio', data: 'UklGRiQAAABXQVZF', mime_type: 'audio/wav' },
        { type: 'document', data: 'JVBERi0xLjQK', mime_type: 'application/pdf' },
        { type: 'document', data: 'YSxiCjEsMgo=', mime_type: 'text/csv' },
        {
          type: 'video',
          uri: 'https://example.com/clip.mp4',
          mime_type: 'video/mp4',
          resolution: 'high',
          name: 'clip',
        },
      ),
      thought('CoEGfirstThought'),
      output(text('Here is another'), { type: 'image', data: png, mime_type: 'image/png' }),
      user(text('Thanks')),
    ],
  }),
  loop: body({
    tools: [weather],
    store: false,
    input: [
      user(text('Weather in Oslo and Rome?')),
      thought('CtkBsecondThought', { summary: [text('Two cities, so two calls')] }),
      call('call_oslo', 'Oslo'),
      call('call_rome', 'Rome'),
      { type: 'function_result', call_id: 'call_oslo', name: 'weather', result: 'Cold and dark' },
      {
        type: 'function_result',
        call_id: 'call_rome',
        name: 'weather',
        result: { sky: 'clear', degrees: 27 },
      },
      thought('CiRlthirdThought'),
      output(text('Rome is warmer')),
      user(text('And Paris?')),
    ],
  }),
  results: body({
    tools: [weather],
    input: [
      user(text('Three calls, please')),
      thought('CtkBfourthThought'),
      call('call_1', 'Oslo'),
      call('call_2', 'Rome'),
      call('call_3', 'Paris'),
      { type: 'function_result', call_id: 'call_1', name: 'weather', result: 'No such city', is_error: true },
      {
        type: 'function_result',
        call_id: 'call_2',
        name: 'weather',
        result: [text('A picture of the sky'), { type: 'image', data: png, mime_type: 'image/png' }],
      },
      { type: 'function_result', call_id: 'call_3', name: 'weather', result: '' },
    ],
  }),
  hosted: body({
    tools: [{ type: 'google_search' }, { type: 'code_execution' }, { type: 'url_context' }],
    input: [
      user(text('Who won, and by how much?')),
      thought('CokCfifthThought'),
      {
        type: 'google_search_call',
        id: 'gs_1',
        arguments: { queries: ['final score'] },
        signature: 'SigSearchCall',
      },
      {
        type: 'google_search_result',
        call_id: 'gs_1',
        result: [{ search_suggestions: '<b>score</b>' }],
        signature: 'SigSearchResult',
      },
      { type: 'code_execution_call', id: 'ce_1', arguments: { code: 'print(3 - 1)', language: 'python' } },
      { type: 'code_execution_result', call_id: 'ce_1', result: '2\n' },
      { type: 'url_context_call', id: 'uc_1', arguments: { urls: ['https://example.com/final'] } },
      {
        type: 'url_context_result',
        call_id: 'uc_1',
        result: [{ url: 'https://example.com/final', status: 'success' }],
      },
      output(
        text('The hosts won by two', {
          annotations: [
            {
              type: 'url_citation',
              url: 'https://example.com/final',
              title: 'Final',
              start_index: 4,
              end_index: 9,
            },
            {
              type: 'file_citation',
              document_uri: 'fileSearchStores/1/doc',
              file_name: 'score.pdf',
              page_number: 3,
            },
          ],
        }),
      ),
      user(text('Sure?')),
    ],
  }),
  servers: body({
    tools: [
      { type: 'mcp_server', name: 'deploys', url: 'https://example.com/mcp', headers: { 'x-team': 'blue' } },
    ],
    input: [
      user(text('Deploy it')),
      {
        type: 'mcp_server_tool_call',
        id: 'mcp_1',
        name: 'deploy',
        server_name: 'deploys',
        arguments: { stage: 2 },
      },
      {
        type: 'mcp_server_tool_result',
        call_id: 'mcp_1',
        name: 'deploy',
        server_name: 'deploys',
        result: 'Deployed',
      },
      { type: 'file_search_call', id: 'fs_1' },
      { type: 'file_search_result', call_id: 'fs_1' },
      output(text('Deployed to stage two')),
      user(text('Thank you')),
    ],
  }),
  settings: body({
    generation_config: {
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 500,
      seed: 7,
      stop_sequences: ['END'],
      thinking_level: 'low',
      thinking_summaries: 'auto',
      tool_choice: { allowed_tools: { mode: 'any', tools: ['weather'] } },
    },
    tools: [weather],
    service_tier: 'flex',
    store: true,
    stream: false,
    previous_interaction_id: 'v1_previous',
    response_format: {
      type: 'text',
      mime_type: 'application/json',
      schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    },
  }),
  'any tool': body({ tools: [weather], generation_config: { tool_choice: 'any' } }),
  background: body({ background: true, store: true, labels: { team: 'blue' } }),
  agent: {
    agent: 'deep-research-preview-04-2026',
    input: 'Research the history of canals',
    background: true,
    agent_config: { type: 'deep-research', thinking_summaries: 'auto' },
  },
  'custom agent': { agent: 'harbour-pilot', input: [user(text('Plan the route'))] },
}
