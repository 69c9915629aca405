import type { JsonObject } from 'interlingua'
import { text } from '../bodies/shared.ts'
import { cipher, city, dot, pdf } from './ciphertexts.ts'

const call = (id: string, name: string, given: string): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: given },
})

/** The conversation of `histories` in Mistral's own format. */
export const mistralHistory: JsonObject = {
  model: 'mistral-of-today',
  messages: [
    { role: 'system', content: 'You know the weather.' },
    {
      role: 'user',
      content: [
        text('Weather in Oslo and Rome, and the time?'),
        { type: 'image_url', image_url: `data:image/png;base64,${dot}` },
        {
          type: 'document_url',
          document_url: `data:application/pdf;base64,${pdf}`,
          document_name: 'Almanac',
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'thinking',
          thinking: [text('Three calls are needed')],
          signature: cipher('mistral', 'mistral', 1),
          closed: true,
        },
        text('Let me look'),
      ],
      tool_calls: [
        call('callOslo1', 'weather', '{"city": "Oslo"}'),
        call('callRome1', 'weather', '{"city": "Rome"}'),
        call('callTime1', 'clock', '{}'),
      ],
    },
    { role: 'tool', tool_call_id: 'callOslo1', name: 'weather', content: 'Snow' },
    { role: 'tool', tool_call_id: 'callRome1', name: 'weather', content: '{"error":"No such city"}' },
    { role: 'tool', tool_call_id: 'callTime1', name: 'clock', content: 'Noon' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: [text('Nothing on Rome')], closed: true },
        text('Snow in Oslo'),
        { type: 'reference', reference_ids: [0] },
        text(', at noon'),
      ],
    },
    { role: 'user', content: 'Thanks' },
  ],
  tools: [
    { type: 'function', function: { name: 'weather', description: 'Tells the weather', parameters: city } },
    { type: 'function', function: { name: 'clock', parameters: { type: 'object', properties: {} } } },
  ],
}
