import { describe, expect, test } from 'vitest'
import { errorCodec as anthropic } from '../../../src/dialects/anthropic/errors.ts'
import { errorCodec as gemini } from '../../../src/dialects/gemini/errors.ts'
import { errorCodec as chat } from '../../../src/dialects/openai-chat/errors.ts'

describe('errors of gemini', () => {
  const status = (code: number, word: string, message = 'No', details?: readonly object[]): object => ({
    error: { code, message, status: word, ...(details && { details }) },
  })
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }
  const wait = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }

  test.each([
    [400, status(400, 'INVALID_ARGUMENT'), 'invalid-request', false],
    [
      400,
      status(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass one.', [info]),
      'authentication',
      false,
    ],
    [
      400,
      status(400, 'INVALID_ARGUMENT', 'The input token count exceeds the maximum number of tokens allowed'),
      'context-overflow',
      false,
    ],
    [400, status(400, 'FAILED_PRECONDITION'), 'invalid-request', false],
    [401, status(401, 'UNAUTHENTICATED'), 'authentication', false],
    [403, status(403, 'PERMISSION_DENIED'), 'permission', false],
    [404, status(404, 'NOT_FOUND'), 'not-found', false],
    [429, status(429, 'RESOURCE_EXHAUSTED'), 'rate-limit', true],
    [499, status(499, 'CANCELLED'), 'aborted', false],
    [500, status(500, 'INTERNAL'), 'server', true],
    [503, status(503, 'UNAVAILABLE'), 'overloaded', true],
    [504, status(504, 'DEADLINE_EXCEEDED'), 'timeout', true],
    [503, [status(503, 'UNAVAILABLE')], 'overloaded', true],
    [200, status(429, 'RESOURCE_EXHAUSTED'), 'rate-limit', true],
  ] as const)('%d %j', (code, body, kind, retryable) => {
    const error = gemini.decodeError(code, body)
    expect(error).toMatchObject({ kind, retryable, dialect: 'gemini' })
    expect(gemini.encodeError(error).body).toEqual(body)
  })

  test('details contain the retry delay and the reason', () => {
    const body = status(429, 'RESOURCE_EXHAUSTED', 'Slow down', [wait])
    expect(gemini.decodeError(429, body)).toMatchObject({ retryAfterMs: 34_400, type: 'RESOURCE_EXHAUSTED' })
    expect(gemini.decodeError(400, status(400, 'X', 'No', [info])).providerCode).toBe('API_KEY_INVALID')
    const slow = anthropic.decodeError(
      429,
      { error: { type: 'rate_limit_error', message: 'Slow down' } },
      { 'retry-after': '34.4' },
    )
    expect(gemini.encodeError(slow).body).toEqual(body)
  })

  test('a kind without a status of its own is written to details', () => {
    const error = chat.decodeError(400, { error: { message: 'Too long', code: 'context_length_exceeded' } })
    const { status: code, body } = gemini.encodeError(error)
    expect([code, body]).toEqual([
      400,
      status(400, 'INVALID_ARGUMENT', 'Too long', [{ ...info, reason: 'CONTEXT_LENGTH_EXCEEDED' }]),
    ])
    expect(gemini.decodeError(code, body).kind).toBe('context-overflow')
  })

  test.each([
    [{ error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }, 'overloaded', 503],
    [{ error: { message: 'Busy', status: 'UNAVAILABLE' } }, 'overloaded', undefined],
    [{ error: { message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } }, 'rate-limit', undefined],
    [{ error: { message: 'Late', status: 'DEADLINE_EXCEEDED' } }, 'timeout', undefined],
  ] as const)('an error chunk in a stream: %j', (event, kind, code) => {
    const error = gemini.decodeErrorEvent(event)
    expect(error).toMatchObject({ kind, ...(code && { status: code }) })
    expect(error && gemini.encodeErrorEvent(error)).toEqual(event)
  })

  test('other chunks of a stream are not errors', () => {
    expect(gemini.decodeErrorEvent({ candidates: [], usageMetadata: {} })).toBeUndefined()
  })
})
