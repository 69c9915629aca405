import type { ChatEvent } from '../../canonical/model/event.ts'
import { StreamError } from '../../canonical/stream/accumulate.ts'
import { InterlinguaError, ProviderError, type ProviderErrorKind } from '../../errors.ts'
import type { ServedBy, Model, Reply } from '../../canonical/model/model-interface.ts'
import type { Middleware } from './middleware.ts'

/**
 * Whether another model is asked when one fails so. What the request or the key is to blame for would be hidden by a
 * second model, and what one provider refuses to talk about is not tried at others.
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

/** How to fall back. */
export interface FallbackOptions {
  /** Whether another model is asked after this error. Default: by the table in the documentation. */
  readonly shouldFallBack?: (error: Error) => boolean
}

/** Events that say nothing of the answer yet: they are held back until the answer begins. */
const PREAMBLE_EVENT_TYPES: ReadonlySet<ChatEvent['type']> = new Set(['start', 'usage', 'loss', 'opaque'])

/**
 * Asks other models, in their order, when the one inside fails. A stream falls back only as long as nothing of its answer was
 * given away. The reply says in `answeredBy` who answered, and why those before did not; when all fail, the last error is
 * thrown.
 *
 * @example
 * wrap(openai('gpt-…'), fallback([anthropic('claude-…'), ollama('llama3.2')]))
 */
export function fallback(
  others: readonly Model[],
  { shouldFallBack = shouldFallBackByDefault }: FallbackOptions = {},
): Middleware {
  return {
    async generate(request, options, inner) {
      const failed: Error[] = []
      for (let index = 0; ; index++) {
        const model = others[index - 1] ?? inner
        try {
          return withServedBy(await model.generate(request, options), model, failed)
        } catch (error) {
          recordFailure(error, failed, index < others.length && !options.signal?.aborted, shouldFallBack)
        }
      }
    },

    async *stream(request, options, inner) {
      const failed: Error[] = []
      for (let index = 0; ; index++) {
        const model = others[index - 1] ?? inner
        const held: ChatEvent[] = []
        let begun = false
        try {
          const answer = model.stream(request, options)
          for await (const event of answer) {
            begun ||= !PREAMBLE_EVENT_TYPES.has(event.type)
            held.push(event)
            if (begun) yield* held.splice(0)
          }
          begun = true
          yield* held
          return withServedBy(await answer.reply, model, failed)
        } catch (error) {
          recordFailure(
            error,
            failed,
            !begun && index < others.length && !options.signal?.aborted,
            shouldFallBack,
          )
        }
      }
    },
  }
}

/** Takes note of an error after which the next model is asked; throws any other. */
function recordFailure(
  error: unknown,
  failed: Error[],
  canFallBack: boolean,
  when: (error: Error) => boolean,
): void {
  if (!canFallBack || !(error instanceof Error) || !when(error)) throw error
  failed.push(error)
}

/** A failure that may pass is one that another model may not have, if it is no provider's own. */
function shouldFallBackByDefault(error: Error): boolean {
  const cause = error instanceof StreamError ? error.cause : error
  if (cause instanceof ProviderError) return FALLBACK_BY_ERROR_KIND[cause.kind]
  return cause instanceof InterlinguaError && cause.retryable
}

function withServedBy(reply: Reply, { provider, name }: Model, failed: readonly Error[]): Reply {
  const answeredBy: ServedBy = { provider, model: name, ...reply.servedBy }
  const all = [...failed, ...(answeredBy.failures ?? [])]
  return { ...reply, servedBy: { ...answeredBy, ...(all.length > 0 && { failures: all }) } }
}
