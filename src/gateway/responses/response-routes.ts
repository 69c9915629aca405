import type { StatefulDialect } from './response-format.ts'

/** What an endpoint of stored responses does. */
export type ResponseAction = 'compact' | 'connect' | 'get' | 'delete' | 'cancel' | 'input-items'

/** The dialect and the action of a request, and the response that it is about. */
export interface ResponseRoute {
  readonly dialect: StatefulDialect
  readonly action: ResponseAction
  readonly id: string
}

/** The endpoints besides those that create responses; the base path before them is free. */
const ROUTES: readonly (readonly [
  method: string,
  path: RegExp,
  dialect: StatefulDialect,
  action: ResponseAction,
])[] = [
  ['GET', /\/responses$/, 'openai-responses', 'connect'],
  ['POST', /\/responses\/compact$/, 'openai-responses', 'compact'],
  ['GET', /\/responses\/([^/]+)$/, 'openai-responses', 'get'],
  ['DELETE', /\/responses\/([^/]+)$/, 'openai-responses', 'delete'],
  ['POST', /\/responses\/([^/]+)\/cancel$/, 'openai-responses', 'cancel'],
  ['GET', /\/responses\/([^/]+)\/input_items$/, 'openai-responses', 'input-items'],
  ['GET', /\/interactions\/([^/]+)$/, 'gemini-interactions', 'get'],
  ['DELETE', /\/interactions\/([^/]+)$/, 'gemini-interactions', 'delete'],
  ['POST', /\/interactions\/([^/]+)\/cancel$/, 'gemini-interactions', 'cancel'],
]

/** Returns the route of a request about stored responses; undefined for other requests. */
export function findResponseRoute(method: string, path: string): ResponseRoute | undefined {
  for (const [routeMethod, pattern, dialect, action] of ROUTES) {
    const match = method === routeMethod ? pattern.exec(path) : null
    // Ids contain no character that a path escapes.
    if (match !== null) return { dialect, action, id: match[1] ?? '' }
  }
  return undefined
}
