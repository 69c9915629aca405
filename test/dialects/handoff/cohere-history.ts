import type { JsonObject } from 'interlingua'
import { text } from '../bodies/shared.ts'
import { city, dot } from './ciphertexts.ts'

const call = (id: string, name: string, given: string): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: given },
})

/** The conversation of `histories` in the format of Cohere. Its reasoning has no signatures. */
export const cohere: JsonObject = {
  model: 'command-of-today',
  messages: [
    { role: 'system', content: 'You know the weather.' },
    {
      role: 'user',
      content: [
        text('Weather in Oslo and Rome, and the time?'),
        { type: 'image_url', image_url: { url: `data:image/png;base64,${dot}` } },
      ],
    },
    {
      role: 'assistant',
      tool_plan: 'Three calls are needed',
      tool_calls: [
        call('weather_oslo', 'weather', '{"city": "Oslo"}'),
        call('weather_rome', 'weather', '{"city": "Rome"}'),
        call('clock_now', 'clock', '{}'),
      ],
    },
    { role: 'tool', tool_call_id: 'weather_oslo', content: 'Snow' },
    { role: 'tool', tool_call_id: 'weather_rome', content: '{"error":"No such city"}' },
    {
      role: 'tool',
      tool_call_id: 'clock_now',
      content: [{ type: 'document', document: { data: { hour: 12 } } }],
    },
    {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'Nothing on Rome' }, text('Snow in Oslo, at noon')],
      citations: [
        {
          start: 0,
          end: 12,
          text: 'Snow in Oslo',
          sources: [{ type: 'tool', id: 'weather_oslo:0', tool_output: { content: 'Snow' } }],
          content_index: 1,
          type: 'TEXT_CONTENT',
        },
      ],
    },
    { role: 'system', content: 'From now on in German' },
    { role: 'user', content: 'Thanks' },
  ],
  tools: [
    { type: 'function', function: { name: 'weather', description: 'Tells the weather', parameters: city } },
    { type: 'function', function: { name: 'clock', parameters: { type: 'object', properties: {} } } },
  ],
}
