import type { DialectName } from '../../dialects/engine/dialect.ts'

/** What an endpoint does. */
type RouteAction = 'chat' | 'count' | 'embed' | 'models' | 'version'

/** The dialect and the action of a request, and the model if the path contains it. */
export interface Route {
  readonly dialect: DialectName
  readonly action: RouteAction
  readonly model?: string
}

/** The endpoints of all dialects; the base path before them is free, as behind a gateway. */
const ROUTES: readonly (readonly [
  method: string,
  path: RegExp,
  dialect: DialectName,
  action: RouteAction,
])[] = [
  ['POST', /\/chat\/completions$/, 'openai-chat', 'chat'],
  ['POST', /\/responses$/, 'openai-responses', 'chat'],
  ['POST', /\/responses\/input_tokens$/, 'openai-responses', 'count'],
  ['POST', /\/messages$/, 'anthropic', 'chat'],
  ['POST', /\/messages\/count_tokens$/, 'anthropic', 'count'],
  ['POST', /\/(?:models|tunedModels)\/([^/:]+):(?:generateContent|streamGenerateContent)$/, 'gemini', 'chat'],
  ['POST', /\/(?:models|tunedModels)\/([^/:]+):countTokens$/, 'gemini', 'count'],
  ['POST', /\/models\/([^/:]+):batchEmbedContents$/, 'gemini', 'embed'],
  ['POST', /\/embeddings$/, 'openai-chat', 'embed'],
  ['POST', /\/api\/chat$/, 'ollama', 'chat'],
  ['POST', /\/api\/embed$/, 'ollama', 'embed'],
  ['GET', /\/api\/tags$/, 'ollama', 'models'],
  ['GET', /\/api\/version$/, 'ollama', 'version'],
  ['GET', /\/v1beta\/models$/, 'gemini', 'models'],
  ['GET', /\/models$/, 'openai-chat', 'models'],
]

/** Returns the route of a request; undefined if no provider has the endpoint. */
export function findRoute(method: string, path: string, headers: Headers): Route | undefined {
  for (const [routeMethod, pattern, dialect, action] of ROUTES) {
    const match = method === routeMethod ? pattern.exec(path) : null
    if (match === null) continue
    // Anthropic and OpenAI list their models at the same path.
    const isAnthropic = action === 'models' && headers.has('anthropic-version')
    const model = match[1]
    return {
      dialect: isAnthropic ? 'anthropic' : dialect,
      action,
      ...(model !== undefined && { model: decodeURIComponent(model) }),
    }
  }
  return undefined
}

/** Returns true if a request has a key in one of the headers of its provider, or in the query. */
export function hasKey({ dialect }: Route, headers: Headers, query: URLSearchParams): boolean {
  return (
    KEY_HEADERS[dialect].some((name) => /\S/.test((headers.get(name) ?? '').replace(/^bearer\b/i, ''))) ||
    (dialect === 'gemini' && (query.get('key') ?? '') !== '') ||
    KEY_HEADERS[dialect].length === 0
  )
}

/** The headers that may contain the key; Ollama needs none. */
const KEY_HEADERS: { readonly [dialect in DialectName]: readonly string[] } = {
  anthropic: ['x-api-key', 'authorization'],
  gemini: ['x-goog-api-key', 'authorization'],
  ollama: [],
  'openai-chat': ['authorization', 'api-key'],
  'openai-responses': ['authorization', 'api-key'],
}
