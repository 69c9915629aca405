import type { JsonObject } from 'interlingua'
import { input, message, output, said as words } from '../bodies/openai-responses-items.ts'
import { cipher, city, dot, pdf } from './ciphertexts.ts'

const said = (text: string, fields: JsonObject = {}): JsonObject => words(text, { logprobs: [], ...fields })

const call = (id: string, name: string, given: string): JsonObject => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: given,
  status: 'completed',
})

/** The long conversation in the format of the Responses API. */
export const responsesHistory: JsonObject = {
  model: 'gpt-of-today',
  instructions: 'You know the weather.',
  input: [
    {
      role: 'user',
      content: [
        {
          ...input('Weather in Oslo and Rome, and the time?'),
          prompt_cache_breakpoint: { mode: 'explicit' },
        },
        { type: 'input_image', image_url: `data:image/png;base64,${dot}`, detail: 'auto' },
        { type: 'input_file', file_data: `data:application/pdf;base64,${pdf}`, filename: 'almanac.pdf' },
      ],
    },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [
        { type: 'summary_text', text: 'Three calls are needed' },
        { type: 'summary_text', text: 'And a shell' },
      ],
      encrypted_content: cipher('openai-responses', 'openai', 1),
    },
    message('msg_1', [said('Let me look')], { phase: 'commentary' }),
    call('call_oslo', 'weather', '{"city": "Oslo"}'),
    call('call_rome', 'weather', '{"city": '),
    call('call_time', 'clock', ''),
    { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_shell', name: 'shell', input: 'date -u' },
    output('call_oslo', [
      input('Snow'),
      { type: 'input_image', image_url: `data:image/png;base64,${dot}`, detail: 'auto' },
    ]),
    output('call_rome', '{"error":"No such city"}'),
    output('call_time', 'Noon'),
    { type: 'custom_tool_call_output', call_id: 'call_shell', output: 'Sun Nov 15' },
    {
      type: 'reasoning',
      id: 'rs_2',
      summary: [],
      encrypted_content: cipher('openai-responses', 'openai', 2),
    },
    {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'snow in Oslo' },
    },
    message('msg_2', [
      said('Much snow fell', {
        annotations: [
          {
            type: 'url_citation',
            url: 'https://example.org/snow',
            title: 'Snow in Oslo',
            start_index: 0,
            end_index: 9,
          },
        ],
      }),
    ]),
    { role: 'developer', content: 'From now on in German' },
    { role: 'user', content: 'Say something rude' },
    message('msg_3', [{ type: 'refusal', refusal: 'That I will not' }]),
    { role: 'user', content: 'Then something kind' },
  ],
  tools: [
    {
      type: 'function',
      name: 'weather',
      description: 'Tells the weather',
      parameters: city,
      strict: false,
    },
    { type: 'function', name: 'clock', parameters: { type: 'object', properties: {} }, strict: false },
    { type: 'custom', name: 'shell', description: 'Runs a command' },
    { type: 'web_search' },
  ],
  include: ['reasoning.encrypted_content'],
  store: false,
}
