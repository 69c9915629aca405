import { dialects as builtInDialects } from '../dialects/dialects.ts'
import { ProviderError } from '../errors.ts'
import type { ClientRegistry } from './client-registry.ts'
import type { GatewayMetrics } from './metrics/gateway-metrics.ts'

/** What the endpoints that no provider has need. */
export interface OtherEndpoints {
  readonly clients: ClientRegistry
  readonly metrics: GatewayMetrics
  /** Returns false while the gateway should get no requests. */
  readonly isReady: () => boolean
}

/** Paths that say that the gateway runs, and those that say that it should get requests. */
const HEALTH_PATHS: ReadonlySet<string> = new Set(['/', '/health', '/healthz', '/livez'])
const READY_PATHS: ReadonlySet<string> = new Set(['/ready', '/readyz'])

/** Answers what is no endpoint of a provider: health checks, metrics, and probes of agent programs. */
export async function answerOther(
  request: Request,
  { pathname }: URL,
  endpoints: OtherEndpoints,
): Promise<Response> {
  const { method } = request
  if (method === 'HEAD') return new Response(null, { status: 200 })
  if (method === 'OPTIONS')
    return new Response(null, { status: 204, headers: { allow: 'GET, HEAD, POST, OPTIONS' } })
  if (method !== 'GET') return refuse('The gateway has no such endpoint.', 'not-found', 404)
  if (HEALTH_PATHS.has(pathname)) return Response.json({ status: 'ok' })
  if (READY_PATHS.has(pathname))
    return endpoints.isReady()
      ? Response.json({ status: 'ready' })
      : Response.json({ status: 'closing' }, { status: 503 })
  if (pathname === '/metrics') return answerMetrics(request.headers, endpoints)
  return refuse('The gateway has no such endpoint.', 'not-found', 404)
}

/** Metrics contain the names of clients: if clients have keys, only those with the permission read them. */
async function answerMetrics(headers: Headers, { clients, metrics }: OtherEndpoints): Promise<Response> {
  const given = (headers.get('authorization') ?? '').replace(/^bearer\b/i, '').trim()
  const key = await clients.identify(given).catch(() => null)
  if (key === null) return refuse('A key that may read metrics is missing.', 'authentication', 401)
  if (key !== undefined && key.metrics !== true)
    return refuse('The key may not read metrics.', 'permission', 403)
  return new Response(metrics.format(), {
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
  })
}

function refuse(
  message: string,
  kind: 'not-found' | 'authentication' | 'permission',
  code: number,
): Response {
  const error = new ProviderError(message, { kind, status: code })
  const { status, headers, body } = builtInDialects['openai-chat'].encodeError(error)
  return Response.json(body, { status, headers })
}
