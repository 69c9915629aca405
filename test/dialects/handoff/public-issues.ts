import {
  accumulate,
  type ChatRequest,
  type ChatResponse,
  type DialectName,
  dialects,
  type JsonObject,
  type Message,
} from 'interlingua'
import { describe, test } from 'vitest'
import { send, type Sent } from './send.ts'

/** A public issue of a library, and a check that the same problem does not exist in this library. */
export interface Case {
  readonly issue: string
  readonly title: string
  readonly check: () => void | Promise<void>
}

/** Runs a test for each issue. */
export function eachIssue(about: string, cases: readonly Case[]): void {
  describe(about, () => {
    for (const { issue, title, check } of cases) test(`[${issue}] ${title}`, check)
  })
}

/** Every dialect. */
export const all: readonly DialectName[] = Object.keys(dialects) as DialectName[]

/** Creates a request with some messages. */
export const asking = (...messages: readonly Message[]): ChatRequest => ({
  model: 'a-model',
  maxOutputTokens: 99,
  messages,
})

/** Encodes messages for a provider, and checks that the body is valid. */
export const sent = (to: DialectName, ...messages: readonly Message[]): Sent => send(asking(...messages), to)

/** Lists the rules of losses. */
export const rulesOf = ({ losses }: Sent): readonly string[] => losses.map(({ rule }) => rule)

/** Returns a body as text. */
export const textIn = ({ body }: Sent): string => JSON.stringify(body)

/** Lists the values of a key at any depth. */
export function valuesOf(body: unknown, key: string): readonly unknown[] {
  if (typeof body !== 'object' || body === null) return []
  const own = !Array.isArray(body) && Object.hasOwn(body, key) ? [(body as JsonObject)[key]] : []
  return [...own, ...Object.values(body).flatMap((each) => valuesOf(each, key))]
}

/** Creates a stream of server-sent events. */
export async function* events(payloads: readonly JsonObject[], named = false): AsyncGenerator<string> {
  for (const payload of payloads) {
    yield `${named ? `event: ${payload['type'] as string}\n` : ''}data: ${JSON.stringify(payload)}\n\n`
  }
}

/** Returns the response of a stream. */
export function streamed(
  name: DialectName,
  payloads: readonly JsonObject[],
  named = false,
): Promise<ChatResponse> {
  return accumulate(dialects[name].decodeStream(events(payloads, named)))
}

/** Creates a chunk of an openai-chat stream. */
export const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'a-model',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
