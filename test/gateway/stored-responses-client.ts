import {
  assistant,
  type AssistantMessage,
  type DialectName,
  dialects,
  type Message,
  textOf,
} from 'interlingua'
import { attachSignature } from 'interlingua/content'
import type { Gateway } from 'interlingua/gateway'
import type { MockProvider } from 'interlingua/testing/providers'

export type Body = Record<string, unknown> & { readonly id: string }

export const PATHS = { responses: '/v1/responses', interactions: '/v1beta/interactions' } as const
type Api = keyof typeof PATHS
export const APIS = Object.keys(PATHS) as Api[]
export const PREVIOUS = {
  responses: 'previous_response_id',
  interactions: 'previous_interaction_id',
} as const

/** Sends a request to the API of stored responses; a body makes it a POST. */
export async function send(
  gateway: Gateway,
  path: string,
  body?: object,
  {
    method = body === undefined ? 'GET' : 'POST',
    key = '',
  }: { readonly method?: string; readonly key?: string } = {},
): Promise<{ readonly status: number; readonly body: Body; readonly text: string }> {
  const response = await gateway(
    new Request(`http://gateway.example${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      ...(key !== '' && { headers: { authorization: `Bearer ${key}` } }),
    }),
  )
  const text = await response.text()
  return { status: response.status, text, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Body }
}

/** The messages of a request that a provider received, without what says how they are written. */
export function readMessages(mock: MockProvider, index: number): readonly string[] {
  const { dialect, body } = mock.requests[index] ?? { dialect: 'anthropic' as DialectName, body: {} }
  const { messages } = dialects[dialect].decodeRequest(body).value
  return [...messages].map((message: Message) => `${message.role}: ${textOf(message)}`)
}

export const tools: readonly object[] = [
  { type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } },
]
const call = { type: 'tool-call', id: 'call_1234', name: 'weather', arguments: { city: 'Oslo' } } as const

/** An answer with a call, and with a signature that the provider wants back. */
export function createSignedAnswer(vendor: string): AssistantMessage {
  const signature = { vendor, value: `c2lnbmVkLWJ5LXZlbmRvci0${vendor}AAAA` }
  const reasoning = { type: 'reasoning', text: 'The user asks for the weather.' } as const
  return vendor === 'google'
    ? assistant([reasoning, attachSignature(call, signature)])
    : assistant([attachSignature(reasoning, signature), call])
}

export const RESULTS: { readonly [api in Api]: object } = {
  responses: { type: 'function_call_output', call_id: call.id, output: 'Sunny' },
  interactions: { type: 'function_result', call_id: call.id, name: 'weather', result: 'Sunny' },
}
