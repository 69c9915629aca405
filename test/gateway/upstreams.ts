import { type ChatRequest, type DialectName, user } from 'interlingua'
import { mockProvider, type MockProvider, type MockProviderOptions } from 'interlingua/testing/providers'
import { createGateway, type Gateway, type GatewayConfig } from 'interlingua/gateway'
import { TARGETS, toHttpRequest } from './client-requests.ts'

export { TARGETS, toHttpRequest }

export const DIALECTS = Object.keys(TARGETS) as DialectName[]

/** The ordered pairs of a client's dialect and the dialect of the provider behind the gateway. */
export const PAIRS: readonly (readonly [client: DialectName, upstream: DialectName])[] = DIALECTS.flatMap(
  (client) => DIALECTS.map((upstream) => [client, upstream] as const),
)

/** Routes to a double of every provider; the model `upstream-<dialect>` is sent to that dialect. */
export function createTestConfig(
  mock: MockProvider,
  onFetch: (init: RequestInit | undefined) => unknown = () => {},
): GatewayConfig {
  const connection = {
    apiKey: 'test',
    fetch: (input: RequestInfo | URL, init?: RequestInit) => {
      onFetch(init)
      return mock.fetch(new Request(input, init))
    },
    retry: { maxAttempts: 1 },
  }
  const names = DIALECTS.map((dialect) => TARGETS[dialect].split(':')[0] ?? '')
  return {
    routes: DIALECTS.map((dialect) => ({ model: `upstream-${dialect}`, to: TARGETS[dialect] })),
    providers: {
      ...Object.fromEntries(names.map((name) => [name, connection])),
      // Its own host depends on the region.
      bedrock: { ...connection, baseUrl: 'https://bedrock-runtime.example' },
    },
  }
}

/** A gateway in front of a strict double of every provider. */
export function startTestGateway(
  options: MockProviderOptions = {},
  config: Partial<GatewayConfig> = {},
): { readonly gateway: Gateway; readonly mock: MockProvider } {
  const mock = mockProvider(options)
  return { gateway: createGateway({ ...createTestConfig(mock), ...config }), mock }
}

/** A gateway, or a function in front of one. */
export type GatewayHandler = (request: Request) => Promise<Response>

/** Sends the request of a client to a gateway. */
export async function ask(
  gateway: GatewayHandler,
  dialect: DialectName,
  request: ChatRequest,
): Promise<Response> {
  return gateway(toHttpRequest(dialect, request))
}

export const weather = {
  type: 'function',
  name: 'weather',
  description: 'The weather in a city',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const

/** A request to a model of Anthropic. */
export const request: ChatRequest = {
  model: 'upstream-anthropic',
  messages: [user('Hi')],
  maxOutputTokens: 100,
  stream: false,
}

/** Returns a GET request to the gateway. */
export const get = (path: string, headers: Record<string, string> = {}): Request =>
  new Request(`http://gateway.example${path}`, { headers })
