import type { JsonObject } from 'interlingua'
import { cipher, city, dot } from './ciphertexts.ts'

/** The conversation of `histories` in the format of the Interactions API. */
export const interactions: JsonObject = {
  model: 'gemini-of-today',
  system_instruction: 'You know the weather.',
  input: [
    {
      type: 'user_input',
      content: [
        { type: 'text', text: 'Weather in Oslo and Rome, and the time?' },
        { type: 'image', data: dot, mime_type: 'image/png' },
      ],
    },
    {
      type: 'thought',
      signature: cipher('gemini-interactions', 'google_interactions', 1),
      summary: [{ type: 'text', text: 'Three calls are needed' }],
    },
    { type: 'model_output', content: [{ type: 'text', text: 'Let me look' }] },
    { type: 'function_call', id: 'zgg_oslo', name: 'weather', arguments: { city: 'Oslo' } },
    { type: 'function_call', id: 'zgg_rome', name: 'weather', arguments: { city: 'Rome' } },
    { type: 'function_call', id: 'zgg_now', name: 'clock', arguments: {} },
    {
      type: 'function_result',
      call_id: 'zgg_oslo',
      name: 'weather',
      result: [
        { type: 'text', text: 'Snow' },
        { type: 'image', data: dot, mime_type: 'image/png' },
      ],
    },
    { type: 'function_result', call_id: 'zgg_rome', name: 'weather', result: 'No such city', is_error: true },
    { type: 'function_result', call_id: 'zgg_now', name: 'clock', result: { hour: 12 } },
    { type: 'thought', signature: cipher('gemini-interactions', 'google_interactions', 2) },
    {
      type: 'code_execution_call',
      id: 'ce_1',
      arguments: { code: 'print(-4)', language: 'python' },
      signature: cipher('gemini-interactions', 'google_interactions', 3),
    },
    { type: 'code_execution_result', call_id: 'ce_1', result: '-4\n' },
    { type: 'model_output', content: [{ type: 'text', text: 'Four below zero' }] },
    { type: 'user_input', content: [{ type: 'text', text: 'Now in German' }] },
  ],
  tools: [
    { type: 'function', name: 'weather', description: 'Tells the weather', parameters: city },
    { type: 'function', name: 'clock', parameters: { type: 'object', properties: {} } },
    { type: 'code_execution' },
  ],
}
