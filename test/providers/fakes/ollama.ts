import { type FakeWire, FAKE_TEXT, USAGE } from './wire.ts'

const about = { model: 'fake-1-2026', created_at: '2026-11-13T02:13:20.000Z' }
const metrics = {
  done_reason: 'stop',
  total_duration: 1_000_000,
  load_duration: 1000,
  prompt_eval_count: USAGE.inputTokens,
  prompt_eval_duration: 1000,
  eval_count: USAGE.outputTokens,
  eval_duration: 1000,
}

const line = (value: object): string => `${JSON.stringify(value)}\n`
const toChunk = (content: string): object => ({
  ...about,
  message: { role: 'assistant', content },
  done: false,
})

export const ollama: FakeWire = {
  path: () => '/api/chat',
  whole: { ...about, message: { role: 'assistant', content: FAKE_TEXT }, done: true, ...metrics },
  events: [
    line(toChunk('Hello ')),
    line(toChunk('there.')),
    line({ ...about, message: { role: 'assistant', content: '' }, done: true, ...metrics }),
  ],
  streamType: 'application/x-ndjson',
  isStream: ({ body }) => (body as { stream?: unknown }).stream !== false,
  error: (_status, message) => ({ error: message }),
  overflow: [400, { error: 'the input length exceeds the context length' }],
  errorEvent: line({ error: 'an error was encountered while running the model' }),
}
