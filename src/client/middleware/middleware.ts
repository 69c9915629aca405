import type { ChatEvent } from '../../canonical/model/event.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { checkRequest } from '../check-input.ts'
import type { CallOptions, Model, Reply, ReplyStream } from '../../canonical/model/model-interface.ts'
import { createReplyStream } from '../reply-stream.ts'
import { omitUndefined } from '../../wire/json.ts'

/** Everything of a request but its conversation. */
export type DefaultSettings = Partial<Omit<ChatRequest, 'messages'>>

/**
 * Settings for every request that does not say otherwise. Each setting counts as a whole: a request that says something about
 * `reasoning` says all about it.
 *
 * @example
 * wrap(model, defaults({ temperature: 0, maxOutputTokens: 1_000 }))
 */
export function defaultSettings(settings: DefaultSettings): Middleware {
  return {
    request(request) {
      return { ...settings, ...omitUndefined(request), messages: request.messages }
    },
  }
}

/**
 * Something around a model: a plain object with any of three functions. Each gets what was asked and the model inside, and
 * decides whether, how often and with what to ask it.
 *
 * @example
 * const shouting: Middleware = {
 *   async generate(request, options, inner) {
 *     const reply = await inner.generate(request, options)
 *     return { ...reply, text: reply.text.toUpperCase() }
 *   },
 *   async *stream(request, options, inner) {
 *     const answer = inner.stream(request, options)
 *     for await (const event of answer)
 *       yield event.type === 'text-delta' ? { ...event, text: event.text.toUpperCase() } : event
 *     return answer.reply
 *   },
 * }
 */
export interface Middleware {
  /** Changes what is asked, whole or streamed. */
  request?(request: ChatRequest, options: CallOptions, inner: Model): ChatRequest | Promise<ChatRequest>
  /** Stands around a whole answer. */
  generate?(request: ChatRequest, options: CallOptions, inner: Model): Promise<Reply>
  /** Stands around a streamed answer: yields its events, and returns the reply. */
  stream?(
    request: ChatRequest,
    options: CallOptions,
    inner: Model,
  ): AsyncGenerator<ChatEvent, Reply, undefined>
}

/**
 * A model with something around it; the first middleware is the outermost.
 *
 * @example
 * const model = wrap(openai('gpt-…'), logging({ log: console.log }), fallback([anthropic('claude-…')]))
 */
export function wrapModel(model: Model, ...middlewares: readonly Middleware[]): Model {
  return middlewares.reduceRight(wrapWithOne, model)
}

function wrapWithOne(inner: Model, middleware: Middleware): Model {
  const { name, provider, capabilities } = inner

  async function transformRequest(asked: ChatRequest, options: CallOptions): Promise<ChatRequest> {
    const request = checkRequest(asked)
    return (await middleware.request?.(request, options, inner)) ?? request
  }

  async function generate(asked: ChatRequest, options: CallOptions = {}): Promise<Reply> {
    const request = await transformRequest(asked, options)
    return middleware.generate?.(request, options, inner) ?? inner.generate(request, options)
  }

  function stream(asked: ChatRequest, options: CallOptions = {}): ReplyStream {
    return createReplyStream(async function* () {
      const request = await transformRequest(asked, options)
      if (middleware.stream !== undefined) return yield* middleware.stream(request, options, inner)
      const answer = inner.stream(request, options)
      yield* answer
      return answer.reply
    })
  }

  const wrapped: Model = { name, provider, capabilities, generate, stream }
  const count = inner.countTokens?.bind(inner)
  if (count === undefined) return wrapped
  return {
    ...wrapped,
    countTokens: async (asked, options = {}) => count(await transformRequest(asked, options), options),
  }
}
