import { type GoldenCase, misnamed, request, response, stream, unusual } from './case.ts'

const text = (words: string): { type: 'text'; text: string } => ({ type: 'text', text: words })
const asked = { type: 'user_input', content: [text('Weather?')] }
const interaction = { id: 'v1_r', object: 'interaction', model: 'gemini', status: 'in_progress' }

/** Bodies of the Interactions API that need every hint, mark and group of residue. */
export const cases: readonly GoldenCase[] = [
  request('settings', {
    model: 'gemini',
    input: 'Weather?',
    generation_config: {
      tool_choice: 'validated',
      temperature: 'warm',
      stop_sequences: ['a', 'b', 'c', 'd', 'e', 'f'],
    },
    tools: [
      { type: 'function', name: 'get weather', parameters: unusual },
      { type: 'google_search', search_types: ['web_search'] },
    ],
    response_format: [{ type: 'text', mime_type: 'application/json', schema: unusual }],
    $: 1,
  }),
  request('forms of steps', {
    model: 'gemini',
    input: [
      { type: 'model_output', content: [text('Welcome')], error: { code: 13 } },
      { type: 'user_input' },
      { type: 'user_input', content: [text('')] },
      { type: 'user_input', content: 'Once upon a time' },
      { type: 'function_call', id: 'c0', name: 'get weather', arguments: '{"a": 1}' },
      { type: 'function_result', call_id: 'c0', result: 42 },
      { type: 'thought', signature: 'sig', summary: [text('Hm'), text('Well')] },
      { type: 'thought', signature: 'sig2' },
      { type: 'code_execution_call', id: 'ce', arguments: { code: 'print(1)' } },
      { type: 'model_output', content: [{ type: 'hologram' }] },
      { type: 'model_output', content: [text('And')] },
      { type: 'function_result', call_id: 'unknown', name: 'f', result: [text('Lost')] },
    ],
  }),
  request('a call of another vendor', {
    model: 'gemini',
    input: [
      asked,
      { type: 'thought', signature: 'skip_thought_signature_validator' },
      { type: 'function_call', id: 'c2', name: 'f', arguments: {} },
      { type: 'function_result', call_id: 'c2', name: 'f', result: 'Snow' },
    ],
  }),
  response('with citations', {
    ...interaction,
    own_model: 'gemini',
    status: 'completed',
    steps: [
      {
        type: 'model_output',
        content: [
          {
            ...text('Snow'),
            annotations: [{ type: 'url_citation', url: 'https://example.com', start_index: 0, end_index: 4 }],
          },
        ],
      },
    ],
    usage: { total_tokens: 3, total_input_tokens: 1, total_output_tokens: 1, total_tool_use_tokens: 1 },
  }),
  response(
    'with a renamed call',
    {
      ...interaction,
      status: 'requires_action',
      steps: [
        { type: 'thought', signature: 'sig' },
        { type: 'function_call', id: 'c1', name: 'get_weather_dce3870e', arguments: {}, signature: '' },
      ],
    },
    { request: misnamed },
  ),
  stream('of a text', [
    { event_type: 'interaction.created', interaction },
    { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
    { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'Sn' }, own_key: 1 },
    { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'ow' } },
    { event_type: 'step.stop', index: 0 },
    { event_type: 'interaction.completed', interaction: { ...interaction, status: 'completed' } },
  ]),
]
