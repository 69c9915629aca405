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

/** A public issue of a library, what went wrong there in our words, and what must hold here. */
export interface Case {
  readonly issue: string
  readonly title: string
  readonly check: () => void | Promise<void>
}

/** A test for each issue. */
export function eachIssue(about: string, cases: readonly Case[]): void {
  describe(about, () => {
    for (const { issue, title, check } of cases) test(`[${issue}] ${title}`, check)
  })
}

/** Every dialect. */
export const all: readonly DialectName[] = Object.keys(dialects) as DialectName[]

/** A request with some messages. */
export const asking = (...messages: readonly Message[]): ChatRequest => ({
  model: 'a-model',
  maxOutputTokens: 99,
  messages,
})

/** What a provider is sent for some messages; whatever it is, it is valid. */
export const sent = (to: DialectName, ...messages: readonly Message[]): Sent => send(asking(...messages), to)

/** Which rules acted. */
export const rulesOf = ({ losses }: Sent): readonly string[] => losses.map(({ rule }) => rule)

/** A body as text. */
export const textIn = ({ body }: Sent): string => JSON.stringify(body)

/** The values of a key, wherever it stands. */
export function valuesOf(body: unknown, key: string): readonly unknown[] {
  if (typeof body !== 'object' || body === null) return []
  const own = !Array.isArray(body) && Object.hasOwn(body, key) ? [(body as JsonObject)[key]] : []
  return [...own, ...Object.values(body).flatMap((each) => valuesOf(each, key))]
}

/** A stream of server-sent events. */
export async function* events(payloads: readonly JsonObject[], named = false): AsyncGenerator<string> {
  for (const payload of payloads) {
    yield `${named ? `event: ${payload['type'] as string}\n` : ''}data: ${JSON.stringify(payload)}\n\n`
  }
}

/** The answer that a stream gives. */
export function streamed(
  name: DialectName,
  payloads: readonly JsonObject[],
  named = false,
): Promise<ChatResponse> {
  return accumulate(dialects[name].decodeStream(events(payloads, named)))
}

/** A chunk of a chat stream. */
export const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'a-model',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
