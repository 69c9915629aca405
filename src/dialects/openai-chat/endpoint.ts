import type { Endpoint } from '../dialect.ts'

/** Where a request goes: the body says the rest. */
export function endpoint(): Endpoint {
  return { path: '/chat/completions' }
}
