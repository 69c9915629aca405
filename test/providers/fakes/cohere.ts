import { FAKE_TEXT, type FakeWire, sse, USAGE } from './wire.ts'

const tokens = { input_tokens: USAGE.inputTokens, output_tokens: USAGE.outputTokens }
const usage = { billed_units: tokens, tokens }

const event = (type: string, fields: object): string => sse({ type, ...fields }, type)
const content = (type: string, value: object): string =>
  event(type, { index: 0, delta: { message: { content: value } } })

/** The Chat API v2 of Cohere. */
export const cohere: FakeWire = {
  answerModel: 'fake-1',
  path: () => '/v2/chat',
  whole: {
    id: 'resp-1',
    message: { role: 'assistant', content: [{ type: 'text', text: FAKE_TEXT }] },
    finish_reason: 'COMPLETE',
    usage,
  },
  events: [
    event('message-start', {
      id: 'resp-1',
      delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } },
    }),
    content('content-start', { type: 'text', text: '' }),
    content('content-delta', { text: 'Hello ' }),
    content('content-delta', { text: 'there.' }),
    event('content-end', { index: 0 }),
    event('message-end', { delta: { finish_reason: 'COMPLETE', usage } }),
    sse('[DONE]'),
  ],
  streamType: 'text/event-stream',
  isStream: ({ body }) => (body as { readonly stream?: unknown }).stream === true,
  error: (_status, message) => ({ id: 'e1', message }),
  overflow: [
    400,
    {
      id: 'e1',
      message:
        "too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs, or setting prompt_truncation='AUTO'.",
    },
  ],
  errorEvent: event('message-end', { delta: { finish_reason: 'ERROR', error: 'The model is overloaded.' } }),
}
