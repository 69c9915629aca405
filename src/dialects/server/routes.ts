import type { DialectName } from '../engine/dialect.ts'

/** What an endpoint does. */
export type RouteAction = 'chat' | 'count' | 'embed' | 'models' | 'model' | 'version'

/** The dialect and the action of a request, and the model if the path contains it. */
export interface Route {
  readonly dialect: DialectName
  readonly action: RouteAction
  readonly model?: string
}

/**
 * The endpoints of all dialects; the base path before them is free, as behind a gateway. Mistral has the paths of OpenAI, and Cohere lists
 * its models at one of them: their hosts, or a part of the base path, are named after them.
 */
const ROUTES: readonly (readonly [
  method: string,
  path: RegExp,
  dialect: DialectName,
  action: RouteAction,
])[] = [
  ['POST', /\bmistral\b.*\/chat\/completions$/, 'mistral', 'chat'],
  ['POST', /\/chat\/completions$/, 'openai-chat', 'chat'],
  ['POST', /\/responses$/, 'openai-responses', 'chat'],
  ['POST', /\/responses\/input_tokens$/, 'openai-responses', 'count'],
  ['POST', /\/messages$/, 'anthropic', 'chat'],
  ['POST', /\/messages\/count_tokens$/, 'anthropic', 'count'],
  ['POST', /\/(?:models|tunedModels)\/([^/:]+):(?:generateContent|streamGenerateContent)$/, 'gemini', 'chat'],
  ['POST', /\/(?:models|tunedModels)\/([^/:]+):countTokens$/, 'gemini', 'count'],
  ['POST', /\/models\/([^/:]+):batchEmbedContents$/, 'gemini', 'embed'],
  ['POST', /\/model\/([^/]+)\/(?:converse|converse-stream)$/, 'bedrock', 'chat'],
  ['POST', /\/model\/([^/]+)\/count-tokens$/, 'bedrock', 'count'],
  ['GET', /\/foundation-models$/, 'bedrock', 'models'],
  ['POST', /\/v2\/chat$/, 'cohere', 'chat'],
  ['POST', /\/v2\/embed$/, 'cohere', 'embed'],
  ['GET', /\bcohere\b.*\/models$/, 'cohere', 'models'],
  ['GET', /\bcohere\b.*\/models\/([^/:]+)$/, 'cohere', 'model'],
  ['POST', /\bmistral\b.*\/embeddings$/, 'mistral', 'embed'],
  ['POST', /\/embeddings$/, 'openai-chat', 'embed'],
  ['POST', /\/api\/chat$/, 'ollama', 'chat'],
  ['POST', /\/api\/embed$/, 'ollama', 'embed'],
  ['GET', /\/api\/tags$/, 'ollama', 'models'],
  ['GET', /\/api\/version$/, 'ollama', 'version'],
  ['POST', /\/api\/show$/, 'ollama', 'model'],
  ['GET', /\/v1beta\/models$/, 'gemini', 'models'],
  ['GET', /\/v1beta\/models\/([^/:]+)$/, 'gemini', 'model'],
  ['GET', /\bmistral\b.*\/models$/, 'mistral', 'models'],
  ['GET', /\/models$/, 'openai-chat', 'models'],
  ['POST', /\/interactions$/, 'gemini-interactions', 'chat'],
  ['GET', /\bmistral\b.*\/models\/([^/:]+)$/, 'mistral', 'model'],
  ['GET', /\/models\/(.+)$/, 'openai-chat', 'model'],
]

/** Returns the route of a request to a host and path; undefined if no provider has the endpoint. */
export function findRoute(method: string, address: string, headers: Headers): Route | undefined {
  for (const [routeMethod, pattern, dialect, action] of ROUTES) {
    const match = method === routeMethod ? pattern.exec(address) : null
    if (match === null) continue
    // Anthropic and OpenAI list their models at the same path.
    const isList = action === 'models' || action === 'model'
    const isAnthropic = isList && dialect === 'openai-chat' && headers.has('anthropic-version')
    const model = decodeSegment(match[1])
    return {
      dialect: isAnthropic ? 'anthropic' : dialect,
      action,
      ...(model !== undefined && { model }),
    }
  }
  return undefined
}

/** Decodes a segment of a path; one with an invalid escape is a name that does not exist. */
function decodeSegment(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Tests whether the answer to a request is to be streamed. */
type StreamTest = (body: { readonly [key: string]: unknown }, path: string) => boolean

/** The dialects that have no `stream: true` in the body. */
const STREAM_TESTS: ReadonlyMap<string, StreamTest> = new Map<DialectName, StreamTest>([
  ['gemini', (_, path) => path.endsWith(':streamGenerateContent')],
  ['bedrock', (_, path) => path.endsWith('/converse-stream')],
  ['ollama', ({ stream }) => stream !== false],
])

/** Returns true if the answer to a request is to be streamed. */
export function isStreamedRequest(
  dialect: string,
  body: { readonly [key: string]: unknown },
  path: string,
): boolean {
  return STREAM_TESTS.get(dialect)?.(body, path) ?? body['stream'] === true
}

/** Returns the key of a request: in one of the headers of its provider, or in the query. Empty if it has none. */
export function readKey(
  { dialect }: Pick<Route, 'dialect'>,
  headers: Headers,
  query: URLSearchParams,
): string {
  const keys = KEY_HEADERS[dialect].map((name) => (headers.get(name) ?? '').replace(/^bearer\b/i, '').trim())
  const fromQuery = dialect === 'gemini' ? (query.get('key') ?? '') : ''
  return keys.find((key) => key !== '') ?? fromQuery
}

/** Returns true if the provider of a dialect needs a key. */
export function needsKey({ dialect }: Route): boolean {
  return dialect !== 'ollama'
}

/** The headers that may contain the key; Ollama itself needs none, and servers in front of it take the usual one. */
const KEY_HEADERS: { readonly [dialect in DialectName]: readonly string[] } = {
  anthropic: ['x-api-key', 'authorization'],
  gemini: ['x-goog-api-key', 'authorization'],
  ollama: ['authorization'],
  'openai-chat': ['authorization', 'api-key'],
  'openai-responses': ['authorization', 'api-key'],
  mistral: ['authorization'],
  'gemini-interactions': ['x-goog-api-key', 'authorization'],
  bedrock: ['authorization'],
  cohere: ['authorization'],
}
