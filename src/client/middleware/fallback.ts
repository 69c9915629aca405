import type { ChatEvent } from '../../canonical/model/event.ts'
import { StreamError } from '../../canonical/stream/accumulate.ts'
import { InterlinguaError, ProviderError, type ProviderErrorKind } from '../../errors.ts'
import type { Answerer, Model, Reply } from '../model.ts'
import type { Middleware } from './wrap.ts'

/**
 * Whether another model is asked when one fails so. What the request or the key is to blame for would be hidden by a
 * second model, and what one provider refuses to talk about is not tried at others.
 */
const FALLS_BACK: { readonly [kind in ProviderErrorKind]: boolean } = {
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
  readonly when?: (error: Error) => boolean
}

/** Events that say nothing of the answer yet: they are held back until the answer begins. */
const PREAMBLE: ReadonlySet<ChatEvent['type']> = new Set(['start', 'usage', 'loss', 'opaque'])

/**
 * Asks other models, in their order, when the one inside fails. A stream falls back only as long as nothing of its answer was
 * given away. The reply says in `answeredBy` who answered, and why those before did not; when all fail, the last error is
 * thrown.
 *
 * @example
 * wrap(openai('gpt-…'), fallback([anthropic('claude-…'), ollama('llama3.2')]))
 */
export function fallback(others: readonly Model[], { when = fallsBack }: FallbackOptions = {}): Middleware {
  return {
    async generate(request, options, inner) {
      const failed: Error[] = []
      for (let index = 0; ; index++) {
        const model = others[index - 1] ?? inner
        try {
          return signed(await model.generate(request, options), model, failed)
        } catch (error) {
          note(error, failed, index < others.length && !options.signal?.aborted, when)
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
            begun ||= !PREAMBLE.has(event.type)
            held.push(event)
            if (begun) yield* held.splice(0)
          }
          begun = true
          yield* held
          return signed(await answer.reply, model, failed)
        } catch (error) {
          note(error, failed, !begun && index < others.length && !options.signal?.aborted, when)
        }
      }
    },
  }
}

/** Takes note of an error after which the next model is asked; throws any other. */
function note(error: unknown, failed: Error[], mayGoOn: boolean, when: (error: Error) => boolean): void {
  if (!mayGoOn || !(error instanceof Error) || !when(error)) throw error
  failed.push(error)
}

/** A failure that may pass is one that another model may not have, if it is no provider's own. */
function fallsBack(error: Error): boolean {
  const told = error instanceof StreamError ? error.cause : error
  if (told instanceof ProviderError) return FALLS_BACK[told.kind]
  return told instanceof InterlinguaError && told.retryable
}

function signed(reply: Reply, { provider, name }: Model, failed: readonly Error[]): Reply {
  const answeredBy: Answerer = { provider, model: name, ...reply.answeredBy }
  const all = [...failed, ...(answeredBy.failed ?? [])]
  return { ...reply, answeredBy: { ...answeredBy, ...(all.length > 0 && { failed: all }) } }
}
