import type { ChatEvent } from '../../canonical/model/event.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { SETTING_NAMES, toChatRequest } from '../check-call-input.ts'
import type {
  BackgroundRuns,
  CallOptions,
  Model,
  ModelInput,
  Reply,
  ReplyStream,
} from '../../canonical/model/model-interface.ts'
import { createForwardedStream, createReplyStream, forwardReply } from '../reply-stream.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { InterlinguaError } from '../../errors.ts'
import { describeType, isObject, omitUndefined } from '../../wire/json.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** Settings of a request without its messages. */
export type DefaultSettings = Partial<Omit<ChatRequest, 'messages'>>

/**
 * Returns a middleware with default settings for requests that do not set them. Settings are not merged: a
 * request with `reasoning` replaces the default `reasoning` entirely.
 *
 * @example
 * wrapModel(model, defaultSettings({ temperature: 0, maxOutputTokens: 1_000 }))
 */
export function defaultSettings(settings: DefaultSettings): Middleware {
  checkOptions('`defaultSettings`', settings, SETTING_NAMES)
  return {
    request(request) {
      return { ...settings, ...omitUndefined(request), messages: request.messages }
    },
  }
}

/**
 * A wrapper around a model: an object with any of three functions. Each gets the request and the wrapped
 * model, and decides whether, how often and with which request to call it.
 *
 * @example
 * const upperCase: Middleware = {
 *   async generate(request, options, inner) {
 *     const reply = await inner.generate(request, options)
 *     return { ...reply, text: reply.text.toUpperCase() }
 *   },
 *   async *stream(request, options, inner) {
 *     const stream = inner.stream(request, options)
 *     for await (const event of stream)
 *       yield event.type === 'text-delta' ? { ...event, text: event.text.toUpperCase() } : event
 *     return stream.reply
 *   },
 * }
 */
export interface Middleware {
  /** Returns the request to use for both `generate` and `stream`. */
  request?(request: ChatRequest, options: CallOptions, inner: Model): ChatRequest | Promise<ChatRequest>
  /** Replaces `generate`. */
  generate?(request: ChatRequest, options: CallOptions, inner: Model): Promise<Reply>
  /** Replaces `stream`: yields the events and returns the reply. */
  stream?(
    request: ChatRequest,
    options: CallOptions,
    inner: Model,
  ): AsyncGenerator<ChatEvent, Reply, undefined>
}

/**
 * Wraps a model in middleware; the first one is the outermost.
 *
 * @example
 * const model = wrapModel(openai('gpt-…'), logging({ log: console.log }), fallback([anthropic('claude-…')]))
 */
export function wrapModel(model: Model, ...middlewares: readonly Middleware[]): Model {
  return withTypedErrors(() => middlewares.reduceRight(wrapWithOne, model), [model, ...middlewares])
}

/** A function would be ignored: `wrapModel(model, logging)` would log nothing. */
function checkMiddleware(middleware: unknown): void {
  if (isObject(middleware)) return
  throw new InterlinguaError('invalid-type', 'A middleware of `wrapModel` is not an object', {
    found: describeType(middleware),
    expected: 'an object with `request`, `generate` or `stream`',
    hint: 'Call the function that creates it, such as logging({ log }).',
  })
}

function wrapWithOne(inner: Model, middleware: Middleware): Model {
  checkMiddleware(middleware)
  const { name, provider, capabilities } = inner

  async function transformRequest(input: ModelInput, options: CallOptions): Promise<ChatRequest> {
    const request = toChatRequest(input, options)
    return (await middleware.request?.(request, options, inner)) ?? request
  }

  async function generate(input: ModelInput, options: CallOptions = {}): Promise<Reply> {
    const request = await transformRequest(input, options)
    return middleware.generate?.(request, options, inner) ?? inner.generate(request, options)
  }

  function stream(input: ModelInput, callerOptions: CallOptions = {}): ReplyStream {
    return createReplyStream(async function* (signal) {
      const options = { ...callerOptions, signal }
      const request = await transformRequest(input, options)
      if (middleware.stream !== undefined) return yield* middleware.stream(request, options, inner)
      return forwardReply(inner.stream(request, options))
    }, callerOptions.signal)
  }

  const { background } = inner
  const count = inner.countTokens?.bind(inner)
  return {
    name,
    provider,
    capabilities,
    generate,
    stream,
    ...(count && {
      countTokens: async (input, options = {}) => count(await transformRequest(input, options), options),
    }),
    ...(background && { background: wrapBackgroundRuns(background, transformRequest) }),
  }
}

/** Returns background runs whose requests are transformed. Middleware for replies does not apply to them. */
function wrapBackgroundRuns(
  runs: BackgroundRuns,
  transformRequest: (input: ModelInput, options: CallOptions) => Promise<ChatRequest>,
): BackgroundRuns {
  return {
    ...runs,
    start: async (input, options = {}) => runs.start(await transformRequest(input, options), options),
    stream: (input, options = {}) =>
      createForwardedStream(async (signal) => {
        const call = { ...options, signal }
        return forwardReply(runs.stream(await transformRequest(input, call), call))
      }, options.signal),
  }
}
