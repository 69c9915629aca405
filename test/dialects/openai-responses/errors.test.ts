import { dialects, type JsonObject, ProviderError } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { errorCodec } from '../../../src/dialects/openai-responses/errors.ts'
import { validator } from '../../wire-validators.ts'

const { decodeError, encodeError } = dialects['openai-responses']

describe('errors of openai-responses', () => {
  test.each([
    [400, { code: 'model_not_found', param: 'model' }, 'not-found', false],
    [400, { code: null, message: "Unsupported parameter: 'temperature'" }, 'invalid-request', false],
    [400, { code: 'invalid_encrypted_content' }, 'invalid-request', false],
    [400, { message: 'Your input exceeds the context window of this model' }, 'context-overflow', false],
    [400, { type: 'insufficient_quota', code: 'insufficient_quota' }, 'quota', false],
    [400, { code: 'image_content_policy_violation' }, 'content-filter', false],
    [401, { type: 'invalid_request_error', code: 'invalid_api_key' }, 'authentication', false],
    [429, { type: 'tokens', code: 'rate_limit_exceeded' }, 'rate-limit', true],
    [500, { code: 'vector_store_timeout' }, 'timeout', true],
    [500, { type: 'server_error' }, 'server', true],
  ] as const)('%d %j', (status, error, kind, retryable) => {
    const read = decodeError(status, { error })
    expect(read).toMatchObject({ status, kind, retryable, dialect: 'openai-responses' })
    expect(encodeError(read)).toMatchObject({ status, body: { error } })
  })

  test('in a stream: flat, nested, and in a failed response', () => {
    const flat = { type: 'error', code: 'server_error', message: 'Sorry', param: null, sequence_number: 3 }
    const nested = { type: 'error', error: { code: 'server_error', message: 'Sorry' }, sequence_number: 3 }
    const { type: _type, ...error } = flat
    const failed = { type: 'response.failed', response: { status: 'failed', error }, sequence_number: 3 }
    for (const event of [flat, nested, failed]) {
      expect(errorCodec.decodeErrorEvent(event)).toMatchObject({ kind: 'server', message: 'Sorry' })
    }
    const written = [flat, nested, failed].map((event) =>
      errorCodec.encodeErrorEvent(errorCodec.decodeErrorEvent(event) as ProviderError),
    )
    expect(written).toEqual([flat, nested, flat])
  })

  test('an event without an error results in undefined', () => {
    for (const event of [
      { type: 'response.in_progress', response: { error: null } },
      { type: 'response.failed', response: { error: null } },
      { type: 'brand_new', error: { message: 'Part of it' } },
      'error',
    ]) {
      expect(errorCodec.decodeErrorEvent(event)).toBeUndefined()
    }
  })

  test('an error of another dialect is a valid event', () => {
    const event: JsonObject = errorCodec.encodeErrorEvent(
      new ProviderError('Slow down', { kind: 'rate-limit' }),
    )
    expect(event).toMatchObject({ type: 'error', code: 'rate_limit_exceeded', message: 'Slow down' })
    expect(validator('openai-responses-stream-event')(event)).toEqual([])
  })
})
