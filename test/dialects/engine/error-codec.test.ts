import { describe, expect, test } from 'vitest'
import { errorCodec as anthropic } from '../../../src/dialects/anthropic/errors.ts'
import { errorCodec as gemini } from '../../../src/dialects/gemini/errors.ts'
import { errorCodec as chat } from '../../../src/dialects/openai-chat/errors.ts'
import { errorCodec as ollama } from '../../../src/dialects/ollama/errors.ts'
import { InterlinguaError, ProviderError } from '../../../src/errors.ts'
import { expectFrozen } from '../../law-assertions.ts'

const codecs = { anthropic, gemini, 'openai-chat': chat, ollama }
const names = Object.keys(codecs) as (keyof typeof codecs)[]
function wrap(type: string, message: string, more: object = {}): object {
  return { type: 'error', error: { type, message }, ...more }
}

describe('decoding, by table', () => {
  test.each([
    [
      400,
      wrap('invalid_request_error', 'messages: at least one message is required'),
      'invalid-request',
      false,
    ],
    [
      400,
      wrap('invalid_request_error', 'prompt is too long: 213462 tokens > 200000'),
      'context-overflow',
      false,
    ],
    [413, wrap('invalid_request_error', 'Prompt is too long'), 'context-overflow', false],
    [400, { message: 'Input is too long for requested model.' }, 'context-overflow', false],
    [400, wrap('invalid_request_error', 'Your credit balance is too low to access'), 'quota', false],
    [
      400,
      wrap('invalid_request_error', 'Output blocked by content filtering policy'),
      'content-filter',
      false,
    ],
    [401, wrap('authentication_error', 'invalid x-api-key'), 'authentication', false],
    [402, wrap('billing_error', 'Pay'), 'quota', false],
    [403, wrap('permission_error', 'No'), 'permission', false],
    [404, wrap('not_found_error', 'model: claude-0'), 'not-found', false],
    [409, wrap('conflict_error', 'Busy'), 'invalid-request', true],
    [413, wrap('request_too_large', 'Request exceeds the maximum size'), 'too-large', false],
    [429, wrap('rate_limit_error', 'Slow down'), 'rate-limit', true],
    [500, wrap('api_error', 'Internal server error'), 'server', true],
    [504, wrap('timeout_error', 'Timed out'), 'timeout', true],
    [529, wrap('overloaded_error', 'Overloaded'), 'overloaded', true],
    [599, wrap('brand_new_error', 'New'), 'server', true],
  ] as const)('anthropic: %d %j', (status, body, kind, retryable) => {
    expect(anthropic.decodeError(status, body)).toMatchObject({
      status,
      kind,
      retryable,
      dialect: 'anthropic',
    })
  })

  test('anthropic: a 429 for a spend limit is not retryable', () => {
    const details = { error_code: 'enforced_spend_limit_reached' }
    const body = { type: 'error', error: { type: 'rate_limit_error', message: 'Limit', details } }
    expect(anthropic.decodeError(429, body)).toMatchObject({
      kind: 'quota',
      providerCode: 'enforced_spend_limit_reached',
      retryable: false,
    })
  })

  test.each([
    [400, { code: 'unsupported_parameter', param: 'stop' }, 'invalid-request', false],
    [400, { code: 'context_length_exceeded' }, 'context-overflow', false],
    [400, { message: "This model's maximum context length is 8192 tokens." }, 'context-overflow', false],
    [400, { message: 'request (9 tokens) exceeds the available context size' }, 'context-overflow', false],
    [500, { message: 'the request exceeds the available context size' }, 'context-overflow', false],
    [400, { message: 'Please reduce the length of the messages' }, 'context-overflow', false],
    [400, { code: 'content_filter' }, 'content-filter', false],
    [401, { type: 'invalid_request_error', code: 'invalid_api_key' }, 'authentication', false],
    [401, { message: 'No cookie auth credentials found', code: 401 }, 'authentication', false],
    [403, {}, 'permission', false],
    [404, { code: 'DeploymentNotFound', type: 'invalid_request_error' }, 'not-found', false],
    [404, { code: '404', message: 'Resource not found' }, 'not-found', false],
    [429, { type: 'tokens', code: 'rate_limit_exceeded' }, 'rate-limit', true],
    [429, { type: 'insufficient_quota', code: 'insufficient_quota' }, 'quota', false],
    [400, { type: 'insufficient_quota' }, 'quota', false],
    [422, { type: 'invalid_request_error' }, 'invalid-request', false],
    [500, { type: 'server_error' }, 'server', true],
    [503, {}, 'overloaded', true],
    [200, { message: 'Rate limited', code: 429 }, 'rate-limit', true],
    [200, { message: 'Odd' }, 'unknown', false],
  ] as const)('openai-chat: %d %j', (status, error, kind, retryable) => {
    expect(chat.decodeError(status, { error })).toMatchObject({ status, kind, retryable })
  })
})

describe('unusual bodies', () => {
  const long = 'x'.repeat(5_000)
  const noMessage = 'The provider returned an error without a message (status 502)'
  test.each([
    ['text', 'upstream connect error', 'upstream connect error'],
    ['JSON text', '{"error":{"message":"No"}}', 'No'],
    ['a page', '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>', '502 Bad Gateway'],
    ['a page without a title', '<html><body>x</body></html>', noMessage],
    ['nothing', undefined, noMessage],
    ['empty text', '', noMessage],
    ['null', null, noMessage],
    ['an empty object', {}, noMessage],
    ['a list', [{ error: { message: 'In a list' } }], 'In a list'],
    ['message', { message: 'Plain' }, 'Plain'],
    ['message before a short error', { statusCode: 502, error: 'Bad Gateway', message: 'Plain' }, 'Plain'],
    ['detail', { detail: 'Not here' }, 'Not here'],
    [
      'a list of details',
      { detail: [{ loc: ['body', 0], msg: 'Field required', type: 'missing' }] },
      'Field required',
    ],
    ['error as text', { code: 'x', error: 'Text' }, 'Text'],
    ['an error in an error', { error: { message: 'Outer', error: { message: 'Inner' } } }, 'Inner'],
    ['an error in text', { error: { message: '{"error":{"message":"Inner"}}' } }, 'Inner'],
    ['raw text', { error: { message: 'Provider returned error', metadata: { raw: 'Busy' } } }, 'Busy'],
    ['control characters', { message: 'a\u0000\u001b[31mb\r\nc' }, 'a[31mb\nc'],
    ['overlong text', long, `${long.slice(0, 1_999)}…`],
    ['a split pair', { message: `${'x'.repeat(1_998)}😀😀` }, `${'x'.repeat(1_998)}…`],
    ['a key in an address', { message: 'GET https://h/v1?key=abc&x=1' }, 'GET https://h/v1?key=***&x=1'],
    ['a token', { message: 'Bad Bearer abcdefghijklmnop.q' }, 'Bad Bearer ***'],
  ])('%s', (_, body, message) => {
    for (const name of names) expect(codecs[name].decodeError(502, body).message).toBe(message)
  })

  test('an error of the provider behind a host decides the kind', () => {
    const raw = JSON.stringify({ error: { message: 'Too much', code: 'context_length_exceeded' } })
    const body = { error: { message: 'Provider returned error', code: 400, metadata: { raw } } }
    expect(chat.decodeError(400, body)).toMatchObject({ kind: 'context-overflow', message: 'Too much' })
  })

  test('the location of an invalid field is decoded as `param`', () => {
    const body = { detail: [{ loc: ['body', 'messages', 0], msg: 'Field required' }] }
    expect(chat.decodeError(422, body).param).toBe('body.messages.0')
  })

  test('only a JSON body is kept, as a frozen copy', () => {
    const body = { error: { message: 'No' } }
    const error = chat.decodeError(400, body)
    expect(error.body).toEqual(body)
    expect(error.body).not.toBe(body)
    expectFrozen(error.body)
    for (const text of ['<html>', '', 'x', '4']) expect(chat.decodeError(400, text).body).toBeUndefined()
    expect(chat.decodeError(400, { error: { message: 'No', more: () => 1 } })).toMatchObject({
      message: 'No',
    })
  })
})

describe('headers', () => {
  const date = 'Tue, 01 Dec 2026 10:00:00 GMT'
  test.each([
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1_500],
    [{ 'Retry-After': '2' }, 2_000],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2_000],
    [{ date, 'retry-after': 'Tue, 01 Dec 2026 10:00:30 GMT' }, 30_000],
    [{ date, 'retry-after': 'Tue, 01 Dec 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'never' }, undefined],
    [{ 'retry-after': '9'.repeat(400) }, undefined],
    [{}, undefined],
  ])('%j waits %j ms', (headers, wait) => {
    for (const name of names) {
      const { decodeError } = codecs[name]
      expect(decodeError(429, {}, headers).retryAfterMs).toBe(wait)
      expect(decodeError(429, {}, new Headers(headers as Record<string, string>)).retryAfterMs).toBe(wait)
    }
  })

  test('`x-should-retry` overrides the default of the kind', () => {
    expect(chat.decodeError(400, {}, { 'x-should-retry': 'true' }).retryable).toBe(true)
    expect(chat.decodeError(503, {}, { 'X-Should-Retry': 'false' }).retryable).toBe(false)
    expect(chat.decodeError(503, {}, { 'x-should-retry': 'maybe' }).retryable).toBe(true)
  })

  test('request ids: own header first, then the general header, then the body', () => {
    const both = { 'x-request-id': 'x', 'request-id': 'r' }
    const body = wrap('api_error', 'No', { request_id: 'b' })
    expect(chat.decodeError(500, body, both).requestId).toBe('x')
    expect(anthropic.decodeError(500, body, both).requestId).toBe('r')
    expect(chat.decodeError(500, body, { 'request-id': 'r' }).requestId).toBe('r')
    expect(anthropic.decodeError(500, body).requestId).toBe('b')
  })

  test('[S24] values cannot inject headers', () => {
    const requestId = 'a\r\nset-cookie: b\u0000é'
    for (const name of names) {
      const { headers } = codecs[name].encodeError(new ProviderError('', { kind: 'server', requestId }))
      expect(Object.values(headers)).toEqual(['aset-cookie:b'])
      expect(() => new Headers(headers)).not.toThrow()
    }
  })
})

describe('encoding', () => {
  test('the received body is sent in its own dialect', () => {
    const body = { error: { message: 'No', type: 'x', code: 7, brand_new: [1] }, user_id: 'u' }
    const { status, body: written } = chat.encodeError(chat.decodeError(418, JSON.stringify(body)))
    expect([status, written]).toEqual([418, body])
  })

  test('a body that was not JSON is encoded again, with its status', () => {
    const { status, body } = chat.encodeError(
      chat.decodeError(502, '<html><title>Bad Gateway</title></html>'),
    )
    expect([status, body]).toEqual([
      502,
      { error: { message: 'Bad Gateway', type: 'server_error', param: null, code: null } },
    ])
  })

  test('an error received with status 200 is sent with an error status', () => {
    expect(chat.encodeError(chat.decodeError(200, { error: { message: 'No', code: 429 } })).status).toBe(429)
  })

  test('the headers state that a quota error is not retryable, and how long to wait', () => {
    const body = wrap('billing_error', 'Pay', { request_id: 'req_1' })
    const quota = anthropic.decodeError(402, body, { 'retry-after': '1.5' })
    expect(chat.encodeError(new ProviderError('Pay', { kind: 'quota' })).headers).toEqual({
      'x-should-retry': 'false',
    })
    expect(chat.encodeError(quota)).toEqual({
      status: 402,
      headers: { 'x-request-id': 'req_1', 'retry-after': '2', 'retry-after-ms': '1500' },
      body: {
        error: { message: 'Pay', type: 'insufficient_quota', param: null, code: 'insufficient_quota' },
      },
    })
  })

  test('a kind without a type of its own keeps its code in the details', () => {
    const error = chat.decodeError(400, { error: { message: 'Too long', code: 'context_length_exceeded' } })
    expect(anthropic.encodeError(error).body).toEqual({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'Too long',
        details: { error_code: 'context_length_exceeded' },
      },
    })
  })

  test('received types and codes are sent in their own dialect only', () => {
    const details = { kind: 'invalid-request', type: 'unusual', providerCode: 'special' } as const
    const error = new ProviderError('No', { ...details, dialect: 'openai-chat' })
    expect(chat.encodeError(error).body).toMatchObject({ error: { type: 'unusual', code: 'special' } })
    expect(anthropic.encodeError(error).body).toEqual(wrap('invalid_request_error', 'No'))
  })

  test('errors of this library can be encoded', () => {
    const cut = new InterlinguaError('stream-cut', 'The stream was cut off', { retryable: true })
    expect(chat.encodeError(cut).status).toBe(502)
    expect(chat.decodeErrorEvent(chat.encodeErrorEvent(cut))).toMatchObject({
      kind: 'network',
      retryable: true,
    })
  })
})

describe('errors inside streams', () => {
  test.each([
    ['anthropic', wrap('overloaded_error', 'Overloaded', { request_id: 'req_1' }), 'overloaded', undefined],
    ['anthropic', { type: 'error' }, 'unknown', undefined],
    ['openai-chat', { error: { message: 'Busy', type: 'server_error', code: null } }, 'server', undefined],
    ['openai-chat', { id: 'c', choices: [], error: { code: 429, message: 'Slow' } }, 'rate-limit', 429],
    ['openai-chat', { error: 'Boom' }, 'unknown', undefined],
    ['openai-chat', { x_groq: { id: 'r', error: 'over capacity' } }, 'unknown', undefined],
    [
      'openai-chat',
      { object: 'error', message: 'No', type: 'BadRequestError', code: 400 },
      'invalid-request',
      400,
    ],
  ] as const)('%s: %j', (name, event, kind, status) => {
    const error = codecs[name].decodeErrorEvent(event)
    expect(error).toMatchObject({ kind, ...(status && { status }) })
    expect(error && codecs[name].encodeErrorEvent(error)).toEqual(event)
  })

  test.each([
    ['anthropic', { type: 'ping' }],
    ['anthropic', { type: 'brand_new', error: { message: 'Part of it' } }],
    ['openai-chat', { choices: [], error: null }],
    ['openai-chat', { choices: [], x_groq: { id: 'r' } }],
    ['openai-chat', 'error'],
  ] as const)('%s: %j is not an error', (name, event) => {
    expect(codecs[name].decodeErrorEvent(event)).toBeUndefined()
  })

  test('an error response is encoded as an event', () => {
    const error = chat.decodeError(422, { detail: 'No' })
    expect(chat.decodeErrorEvent(chat.encodeErrorEvent(error))).toMatchObject({
      message: 'No',
      kind: 'invalid-request',
    })
  })
})
