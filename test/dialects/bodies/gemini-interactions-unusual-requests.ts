import type { JsonObject } from 'interlingua'

const parameters = { type: 'object', properties: { city: { type: 'string', description: 'Name of a city' } } }
const weather = { type: 'function', name: 'weather', description: 'Current weather', parameters }
const text = (words: string, fields: JsonObject = {}): JsonObject => ({
  type: 'text',
  text: words,
  ...fields,
})
const user = (...content: readonly JsonObject[]): JsonObject => ({ type: 'user_input', content })
const body = (fields: JsonObject): JsonObject => ({
  model: 'gemini-of-tomorrow',
  input: [user(text('Hello there'))],
  ...fields,
})

/** The first bytes of a PNG image. */
const png = 'iVBORw0KGgoAAAANSUhEUg=='

/** Requests that the API may refuse, or that only an unusual client sends. */
export const oddRequests: { readonly [name: string]: JsonObject } = {
  empty: {},
  'empty input': body({ input: [] }),
  'empty words': body({ input: '', system_instruction: '' }),
  nulls: body({ input: null, tools: null, generation_config: null, stream: null, response_format: null }),
  'odd steps': body({
    input: [
      { type: 'user_input' },
      { type: 'user_input', content: 'not a list' },
      { role: 'user', content: [text('An older form')] },
      user(text('')),
      user({ type: 'hologram', depth: 3 }),
      { type: 'model_output' },
      { type: 'model_output', content: [] },
      { type: 'model_output', content: [text('Failed half-way')], error: { code: 13, message: 'internal' } },
      { type: 'model_output', content: [text('And again')] },
      { type: 'thought' },
      { type: 'thought', signature: '' },
      {
        type: 'thought',
        signature: 'SigImages',
        summary: [{ type: 'image', data: png, mime_type: 'image/png' }],
      },
      { type: 'thought', signature: 'SigTwo', summary: [text('First half'), text('Second half')] },
      { type: 'weather_balloon_call', id: 'wb_1', arguments: {} },
      7,
      null,
    ],
  }),
  'odd calls': body({
    input: [
      user(text('Call it')),
      {
        type: 'function_call',
        id: 'c1',
        name: 'weather',
        arguments: '{"city": "Oslo"}',
        signature: 'SigOnCall',
      },
      { type: 'function_call', id: '', name: 'weather', arguments: {} },
      { type: 'function_call', id: 'c2', name: 'not a name!', arguments: null },
      { type: 'function_result', call_id: 'c1', result: [1, 2, 'three'] },
      { type: 'function_result', call_id: 'c2', name: 'not a name!', result: 42 },
      { type: 'function_result', call_id: 'c9', name: 'weather', result: null },
      { type: 'function_result', call_id: 'c9' },
    ],
  }),
  'assistant first': body({ input: [{ type: 'model_output', content: [text('Welcome back')] }] }),
  'placeholder thought': body({
    input: [
      user(text('Weather?')),
      { type: 'thought', signature: 'skip_thought_signature_validator' },
      { type: 'function_call', id: 'c1', name: 'weather', arguments: {} },
      { type: 'function_result', call_id: 'c1', name: 'weather', result: 'Cold' },
    ],
  }),
  'results first': body({
    previous_interaction_id: 'v1_previous',
    input: [{ type: 'function_result', call_id: 'c1', name: 'weather', result: 'Cold' }],
  }),
  'odd media': body({
    input: [
      user(
        { type: 'image', data: png },
        { type: 'image', uri: '' },
        { type: 'image', data: png, mime_type: 'image/png', resolution: 'immense' },
        { type: 'document', data: png, mime_type: 'image/png' },
        { type: 'audio', uri: 'gs://bucket/sound.wav', mime_type: 'audio/wav', sample_rate: 16_000 },
        text('Über', {
          annotations: [
            { type: 'url_citation', url: 'https://example.com/a', start_index: 1, end_index: 2 },
            { type: 'word_info', text: 'Über' },
          ],
        }),
      ),
    ],
  }),
  'odd settings': body({
    model: 'deep-research-preview-04-2026',
    agent: 'harbour-pilot',
    generation_config: {
      temperature: 'warm',
      top_k: 3,
      thinking_level: 'immense',
      stop_sequences: ['a', 'b', 'c', 'd', 'e', 'f'],
      tool_choice: 'validated',
    },
    tools: [
      weather,
      weather,
      { type: 'function' },
      { type: 'computer_use', environment: 'browser' },
      { type: 'time_machine', years: 3 },
      7,
    ],
    response_format: [{ type: 'text', mime_type: 'application/json' }],
    response_mime_type: 'application/json',
    response_modalities: ['text'],
    service_tier: 'sooner',
  }),
  'media output': body({ response_format: [{ type: 'image', aspect_ratio: '1:1' }, { type: 'text' }] }),
}
