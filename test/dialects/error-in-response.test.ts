import {
  dialects,
  type JsonObject,
  ProviderError,
  type ProviderErrorKind,
  translateResponse,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { recorded } from '../recorded-exchanges.ts'
import { type Pair, allPairs } from './dialect-table.ts'

const kinds: readonly ProviderErrorKind[] = ['rate-limit', 'context-overflow', 'content-filter', 'overloaded']

const translate = (body: unknown, { from, to }: Pair): unknown =>
  translateResponse(body, { from: from.name, to: to.name })

/** Returns the error that a function throws. */
function thrownBy(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

describe.each(allPairs)('$name: an error in the body of a response', (pair) => {
  test.each(kinds)('is thrown, and can be sent in the other format: %s', (kind) => {
    const { body } = pair.from.dialect.encodeError(new ProviderError('Not now', { kind }))
    const error = thrownBy(() => translate(body, pair))
    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject({ kind, message: 'Not now', dialect: pair.from.name })
    const sent = pair.to.dialect.encodeError(error as ProviderError)
    expect(sent.status).toBeGreaterThanOrEqual(400)
    expect(pair.to.dialect.decodeError(sent.status, sent.body)).toMatchObject({ kind, message: 'Not now' })
  })

  test('is not found in an answer', () => {
    const answers = pair.from.valid.response.filter(({ body }) => body['status'] !== 'failed')
    for (const { body } of answers)
      expect(thrownBy(() => translate(body, pair))).not.toBeInstanceOf(ProviderError)
  })
})

test('a failed Responses body is an error, as its stream is', () => {
  const error = { code: 'server_error', message: 'It broke' }
  const body: JsonObject = { id: 'r', object: 'response', status: 'failed', error, output: [] }
  const options = { from: 'openai-responses', to: 'openai-chat' } as const
  expect(thrownBy(() => translateResponse(body, options))).toMatchObject({
    kind: 'server',
    message: 'It broke',
  })
  expect(dialects['openai-responses'].decodeResponse(body).value.candidates[0]?.finish?.reason).toBe('error')
})

const recordedErrors = recorded('openai-chat').filter(
  ({ status, response }) => status === 200 && (response as JsonObject | null)?.['error'] !== undefined,
)

test.each(recordedErrors)('recorded with the status 200: $id', ({ response }) => {
  const options = { from: 'openai-chat', to: 'anthropic' } as const
  expect(thrownBy(() => translateResponse(response, options))).toMatchObject({ kind: 'content-filter' })
})
