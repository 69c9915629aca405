import type { JsonObject } from 'interlingua'
import { JSON_INPUT, type PlainAnswers, TEXT } from './plain-answer.ts'

const usage = {
  billed_units: { input_tokens: 12, output_tokens: 17 },
  tokens: { input_tokens: 82, output_tokens: 17 },
}
const createBody = (message: JsonObject, reason: string): JsonObject => ({
  id: 'c14c80c3',
  message: { role: 'assistant', ...message },
  finish_reason: reason,
  usage,
})
const createStream = (events: readonly JsonObject[], reason: string): readonly JsonObject[] => [
  {
    type: 'message-start',
    id: 'c14c80c3',
    delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } },
  },
  ...events,
  { type: 'message-end', delta: { finish_reason: reason, usage } },
]
const event = (type: string, message: JsonObject): JsonObject => ({ type, index: 0, delta: { message } })
const createCall = (given: string): JsonObject => ({
  id: 'get_weather_dzwm',
  type: 'function',
  function: { name: 'get_weather', arguments: given },
})

/** Plain answers of Cohere's Chat API v2. */
export const cohere: PlainAnswers = {
  text: {
    whole: createBody({ content: [{ type: 'text', text: TEXT }] }, 'COMPLETE'),
    streamed: createStream(
      [
        event('content-start', { content: { type: 'text', text: '' } }),
        event('content-delta', { content: { text: TEXT.slice(0, 5) } }),
        event('content-delta', { content: { text: TEXT.slice(5) } }),
        { type: 'content-end', index: 0 },
      ],
      'COMPLETE',
    ),
  },
  call: {
    whole: createBody({ tool_calls: [createCall(JSON_INPUT)] }, 'TOOL_CALL'),
    streamed: createStream(
      [
        event('tool-call-start', { tool_calls: createCall('') }),
        event('tool-call-delta', { tool_calls: { function: { arguments: JSON_INPUT } } }),
        { type: 'tool-call-end', index: 0 },
      ],
      'TOOL_CALL',
    ),
  },
}
