import { type ChatEvent, type ChatRequest, type Dialect, InterlinguaError, ProviderError } from 'interlingua'
import { type DialectMistakes, plainDialect } from './dialect-mistakes.ts'

type ByteSource = Parameters<Dialect['decodeStream']>[0]

async function collectText(source: ByteSource): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of source as AsyncIterable<Uint8Array | string>)
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  return text
}

async function* yieldOne(text: string): AsyncGenerator<string> {
  yield text
}

let receivedStream = ''

/** Mistakes in streams, errors, checks of the input, and the amount of work. */
export const streamMistakes: DialectMistakes = {
  'sends the received stream again': {
    law: 'edit-safe',
    mistake: {
      decodeStream: async function* (source: ByteSource, options: object) {
        receivedStream = await collectText(source)
        yield* plainDialect.decodeStream(yieldOne(receivedStream), options)
      },
      encodeStream: () => {
        const body = (async function* () {
          yield new TextEncoder().encode(receivedStream)
        })()
        return Object.assign(body, { body, losses: Promise.resolve([]) })
      },
    },
    report: ['stream "hello"', 'the text of an edited event is not sent', 'stream.createWriter: encodeFrame'],
  },
  'omits the usage of a stream': {
    law: 'stream-equals-response',
    mistake: {
      encodeStream: (events: readonly ChatEvent[], options: object) =>
        plainDialect.encodeStream(
          events.filter(({ type }) => type !== 'usage'),
          options,
        ),
    },
    report: ['the stream has other content than the complete response', '/usage/inputTokens'],
  },
  'loses what follows the last line of a chunk': {
    law: 'any-chunking',
    mistake: {
      decodeStream: (source: AsyncIterable<Uint8Array>, options: object) =>
        plainDialect.decodeStream(
          (async function* () {
            for await (const chunk of source) {
              const text = new TextDecoder().decode(chunk)
              yield text.slice(0, text.lastIndexOf('\n') + 1)
            }
          })(),
          options,
        ),
    },
    report: ['stream "hello"', 'give other events than the whole text', 'stream.framing'],
  },
  'reads the complete stream first': {
    law: 'any-chunking',
    mistake: {
      decodeStream: async function* (source: ByteSource, options: object) {
        yield* plainDialect.decodeStream(yieldOne(await collectText(source)), options)
      },
    },
    report: ['the first event arrives only after the complete stream was read'],
  },
  'hides that a stream was cut off': {
    law: 'stream-end',
    mistake: {
      decodeStream: async function* (source: ByteSource, options: object) {
        for await (const event of plainDialect.decodeStream(source, options))
          if (event.type !== 'error') yield event
      },
    },
    report: ['a partial answer looks complete', 'stream-cut'],
  },
  'leaves the source of a stream open': {
    law: 'stream-end',
    mistake: {
      decodeStream: (source: AsyncIterable<Uint8Array>, options: object) => {
        const iterator = source[Symbol.asyncIterator]()
        return plainDialect.decodeStream(
          { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) },
          options,
        )
      },
    },
    report: ['the source stays open after the stream was left early'],
  },
  'fails with a TypeError for messages without content': {
    law: 'hostile-input',
    mistake: {
      decodeRequest: (
        wire: { readonly messages: readonly { readonly content: string }[] },
        options: object,
      ) => {
        for (const { content } of wire.messages) content.trim()
        return plainDialect.decodeRequest(wire, options)
      },
    },
    report: [
      'decodeRequest, called with nothing',
      'TypeError',
      'Check the type of a wire value before you use it',
    ],
  },
  'repeats the input in an error': {
    law: 'hostile-input',
    mistake: {
      decodeUsage: (wire: unknown) => {
        throw new InterlinguaError('invalid-type', `No usage: ${String(wire)}`)
      },
    },
    report: ['the error repeats a text of the input'],
  },
  'has no decodeUsage': {
    law: 'interface',
    mistake: { decodeUsage: undefined },
    report: ['the member `decodeUsage` is missing', 'defineDialect'],
  },
  'caches the text of a request forever': {
    law: 'interface',
    mistake: {
      encodeRequestText: (() => {
        let cached: unknown
        return (request: ChatRequest, options: object) =>
          (cached ??= plainDialect.encodeRequestText(request, options))
      })(),
    },
    report: ['the JSON text of the first 2 messages differs from the body'],
  },
  'decodes errors as plain errors': {
    law: 'errors',
    mistake: { decodeError: (status: number) => new Error(`status ${status}`) },
    report: ['the decoded error is not typed', 'a ProviderError'],
  },
  'encodes every error as a failure of the server': {
    law: 'errors',
    mistake: { encodeError: () => plainDialect.encodeError(new ProviderError('No', { kind: 'server' })) },
    report: ['an error of the kind authentication', 'the kind changes', 'expected:   "authentication"'],
  },
  'searches all messages for each message': {
    law: 'linear-work',
    mistake: {
      encodeRequest: (request: ChatRequest, options: object) => {
        const all = [...request.messages]
        const messages = all.filter(({ id }) => all.filter((each) => each.id === id).length === 1)
        return plainDialect.encodeRequest({ ...request, messages }, options)
      },
    },
    report: ['the work grows faster than the input', 'about 8 times the work'],
  },
}
