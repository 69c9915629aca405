import type { ChatEvent } from '../../canonical/model/event.ts'
import { StreamError } from '../../canonical/stream/accumulate.ts'
import { InterlinguaError, ProviderError, type ProviderErrorKind } from '../../errors.ts'
import type { ServedBy, Model, Reply } from '../../canonical/model/model-interface.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { checkMethods } from '../../wire/check-methods.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { child } from '../../wire/json-pointer.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import type { Middleware } from './middleware.ts'

/**
 * The error kinds after which the next model is called. Another model would hide a mistake in the request or
 * the key, and a request that one provider's content filter rejected is not sent to others.
 */
const FALLBACK_BY_ERROR_KIND: { readonly [kind in ProviderErrorKind]: boolean } = {
  'rate-limit': true,
  quota: true,
  overloaded: true,
  server: true,
  timeout: true,
  network: true,
  'not-found': true,
  'context-overflow': true,
  unknown: true,
  authentication: false,
  permission: false,
  'invalid-request': false,
  'too-large': false,
  'content-filter': false,
  aborted: false,
}

/** Options of {@link fallback}. */
export interface FallbackOptions {
  /** Returns true if the next model should be called after this error. Default: by error kind. */
  readonly shouldFallBack?: (error: Error) => boolean
}

/** Events that are buffered until the content starts, so that falling back is still possible. */
const PREAMBLE_EVENT_TYPES = new Set<ChatEvent['type']>(['start', 'usage', 'loss', 'opaque'])

function checkModels(models: readonly Model[]): void {
  if (!Array.isArray(models)) throwWrongType(models, child(undefined, 'models'), 'a list of models')
  for (const [index, model] of models.entries())
    checkMethods(model, `models/${index}`, 'a model', ['generate', 'stream'])
}

/**
 * Returns a middleware that calls other models, in order, if the wrapped model fails. A stream falls back
 * only until its first content event. `servedBy` of the reply names the model that responded and lists the
 * errors of the others in `failures`. If all models fail, the last error is thrown.
 *
 * @example
 * wrapModel(openai('gpt-…'), fallback([anthropic('claude-…'), ollama('llama3.2')]))
 */
export function fallback(others: readonly Model[], options: FallbackOptions = {}): Middleware {
  checkOptions('`fallback`', options, { shouldFallBack: Function })
  withTypedErrors(() => checkModels(others), [others])
  const { shouldFallBack = shouldFallBackByDefault } = options

  /** Records an error after which the next model is called; throws any other error. */
  function recordFailure(error: unknown, failed: Error[], canFallBack: boolean): void {
    if (!canFallBack || !(error instanceof Error) || !shouldFallBack(error)) throw error
    failed.push(error)
  }

  return {
    async generate(request, options, inner) {
      const failed: Error[] = []
      for (let index = 0; ; index++) {
        const model = others[index - 1] ?? inner
        try {
          return withServedBy(await model.generate(request, options), model, failed)
        } catch (error) {
          recordFailure(error, failed, index < others.length && !options.signal?.aborted)
        }
      }
    },

    async *stream(request, options, inner) {
      const failed: Error[] = []
      for (let index = 0; ; index++) {
        const model = others[index - 1] ?? inner
        const buffered: ChatEvent[] = []
        let hasStarted = false
        try {
          const stream = model.stream(request, options)
          for await (const event of stream) {
            if (event.type === 'retry') {
              yield event
              continue
            }
            hasStarted ||= !PREAMBLE_EVENT_TYPES.has(event.type)
            buffered.push(event)
            if (hasStarted) yield* buffered.splice(0)
          }
          hasStarted = true
          yield* buffered
          return withServedBy(await stream.reply, model, failed)
        } catch (error) {
          const canFallBack = !hasStarted && index < others.length && !options.signal?.aborted
          recordFailure(error, failed, canFallBack)
        }
      }
    },
  }
}

/** Falls back by error kind for provider errors, and for other errors of this library if they are retryable. */
function shouldFallBackByDefault(error: Error): boolean {
  const cause = error instanceof StreamError ? error.cause : error
  if (cause instanceof ProviderError) return FALLBACK_BY_ERROR_KIND[cause.kind]
  return cause instanceof InterlinguaError && cause.retryable
}

function withServedBy(reply: Reply, { provider, name }: Model, failed: readonly Error[]): Reply {
  const servedBy: ServedBy = { provider, model: name, ...reply.servedBy }
  const all = [...failed, ...(servedBy.failures ?? [])]
  return { ...reply, servedBy: { ...servedBy, ...(all.length > 0 && { failures: all }) } }
}
