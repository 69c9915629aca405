import { dialects } from '../dialects/dialects.ts'
import { ProviderError } from '../errors.ts'

/** Paths that say that the gateway works. */
const HEALTH_PATHS: ReadonlySet<string> = new Set(['/', '/health', '/healthz', '/ready', '/readyz'])

/** Answers what is no endpoint of a provider: health checks, and probes of agent programs. */
export function answerOther({ method }: Request, { pathname }: URL): Response {
  if (method === 'HEAD') return new Response(null, { status: 200 })
  if (method === 'OPTIONS')
    return new Response(null, { status: 204, headers: { allow: 'GET, HEAD, POST, OPTIONS' } })
  if (method === 'GET' && HEALTH_PATHS.has(pathname)) return Response.json({ status: 'ok' })
  const error = new ProviderError('The gateway has no such endpoint.', { kind: 'not-found', status: 404 })
  const { status, headers, body } = dialects['openai-chat'].encodeError(error)
  return Response.json(body, { status, headers })
}
