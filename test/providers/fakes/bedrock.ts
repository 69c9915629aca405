import { FAKE_TEXT, type FakeWire, USAGE } from './wire.ts'

const metadata = {
  usage: { ...USAGE, totalTokens: USAGE.inputTokens + USAGE.outputTokens },
  metrics: { latencyMs: 5 },
}

/** An event in the text form of logs; `bedrock/client.test.ts` sends the binary form. */
const event = (payload: object): string => `${JSON.stringify(payload)}\n`
const text = (piece: string): string =>
  event({ contentBlockDelta: { contentBlockIndex: 0, delta: { text: piece } } })

const types: { readonly [status: number]: string } = {
  400: 'ValidationException',
  401: 'UnrecognizedClientException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  503: 'ServiceUnavailableException',
}

const failure = (status: number, message: string): object => ({
  ...(types[status] !== undefined && { __type: types[status] }),
  message,
})

/** The Converse API of Amazon Bedrock. */
export const bedrock: FakeWire = {
  answerModel: 'fake-1',
  path: (model, stream) => `/model/${model}/${stream ? 'converse-stream' : 'converse'}`,
  whole: {
    output: { message: { role: 'assistant', content: [{ text: FAKE_TEXT }] } },
    stopReason: 'end_turn',
    ...metadata,
  },
  events: [
    event({ messageStart: { role: 'assistant' } }),
    text('Hello '),
    text('there.'),
    event({ contentBlockStop: { contentBlockIndex: 0 } }),
    event({ messageStop: { stopReason: 'end_turn' } }),
    event({ metadata }),
  ],
  streamType: 'application/vnd.amazon.eventstream',
  isStream: ({ path }) => path.endsWith('/converse-stream'),
  error: failure,
  overflow: [400, failure(400, 'Input is too long for requested model.')],
  errorEvent: event({ serviceUnavailableException: { message: 'The model is overloaded.' } }),
}
