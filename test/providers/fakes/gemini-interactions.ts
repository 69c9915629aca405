import { FAKE_TEXT, type FakeWire, sse, USAGE } from './wire.ts'

const usage = {
  total_tokens: USAGE.inputTokens + USAGE.outputTokens,
  total_input_tokens: USAGE.inputTokens,
  total_output_tokens: USAGE.outputTokens,
}
const interaction = { id: 'resp-1', object: 'interaction', model: 'fake-1-2026' }

const codes: { readonly [status: number]: string } = {
  400: 'invalid_request',
  401: 'authentication',
  403: 'permission_denied',
  404: 'not_found',
  409: 'aborted',
  429: 'rate_limit_exceeded',
  500: 'api_error',
  503: 'service_unavailable',
  504: 'deadline_exceeded',
}

const failure = (status: number, message: string): object => ({
  error: { message, ...(codes[status] !== undefined && { code: codes[status] }) },
})

const event = (type: string, fields: object): string => sse({ event_type: type, ...fields }, type)
const text = (piece: string): string =>
  event('step.delta', { index: 0, delta: { type: 'text', text: piece } })

/** Google's Interactions API. */
export const geminiInteractions: FakeWire = {
  path: () => '/v1beta/interactions',
  whole: {
    ...interaction,
    status: 'completed',
    steps: [{ type: 'model_output', content: [{ type: 'text', text: FAKE_TEXT }] }],
    usage,
  },
  events: [
    event('interaction.created', { interaction: { ...interaction, status: 'in_progress' } }),
    event('step.start', { index: 0, step: { type: 'model_output' } }),
    text('Hello '),
    text('there.'),
    event('step.stop', { index: 0 }),
    event('interaction.completed', { interaction: { ...interaction, status: 'completed', usage } }),
  ],
  streamType: 'text/event-stream',
  isStream: ({ body }) => (body as { readonly stream?: unknown }).stream === true,
  error: failure,
  overflow: [
    400,
    failure(400, 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).'),
  ],
  errorEvent: event('error', failure(503, 'The model is overloaded.')),
}
