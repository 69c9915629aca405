import type { ChatRequest } from '../../canonical/model/request.ts'
import { stated } from '../../wire/json.ts'
import type { Middleware } from './wrap.ts'

/** Everything of a request but its conversation. */
export type RequestSettings = Partial<Omit<ChatRequest, 'messages'>>

/**
 * Settings for every request that does not say otherwise. Each setting counts as a whole: a request that says something about
 * `reasoning` says all about it.
 *
 * @example
 * wrap(model, defaults({ temperature: 0, maxOutputTokens: 1_000 }))
 */
export function defaults(settings: RequestSettings): Middleware {
  return {
    request(request) {
      return { ...settings, ...stated(request), messages: request.messages }
    },
  }
}
