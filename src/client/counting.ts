import type { Endpoint } from '../dialects/dialect.ts'
import { ProviderError } from '../errors.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import type { Call, Transport } from './transport/transport.ts'

/** How a host counts the tokens of a request. */
export interface Counting {
  path(endpoint: Endpoint): string
  /** What is counted, from the body that would be sent. */
  body(body: JsonObject, model: string): JsonObject
  read(answer: Json): number | undefined
}

/** Asks a host how many tokens a body is that would go to an endpoint. */
export async function countTokens(
  counting: Counting,
  transport: Transport,
  {
    endpoint,
    body,
    model,
  }: { readonly endpoint: Endpoint; readonly body: JsonObject; readonly model: string },
  signal: AbortSignal | undefined,
): Promise<number> {
  const call: Call = {
    ...endpoint,
    method: 'POST',
    path: counting.path(endpoint),
    body: JSON.stringify(counting.body(body, model)),
  }
  const { value } = await transport.send(
    call,
    async (answer) => numberOf(counting, await answer.json()),
    signal,
  )
  return value
}

function numberOf(counting: Counting, answer: Json): number {
  const count = counting.read(answer)
  if (count !== undefined) return count
  throw new ProviderError('The provider gave no count', { kind: 'server', shouldRetry: false })
}
