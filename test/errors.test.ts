import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { errorCodec as anthropic } from '../src/dialects/anthropic/errors.ts'
import { errorCodec as ollama } from '../src/dialects/ollama/errors.ts'
import { errorCodec as chat } from '../src/dialects/openai-chat/errors.ts'
import { InterlinguaError, PROVIDER_ERROR_KINDS, ProviderError } from '../src/errors.ts'
import { anyJson, anyText } from './arbitraries.ts'
import { expectSame, law } from './law-assertions.ts'

const all = {
  kind: 'rate-limit',
  status: 429,
  provider: 'groq',
  dialect: 'openai-chat',
  requestId: 'req_1',
  retryAfterMs: 1_500,
  type: 'tokens',
  providerCode: 'rate_limit_exceeded',
  param: 'messages',
} as const

const CANARY = 'canary-3b1f'

describe('ProviderError', () => {
  test('is an InterlinguaError with all its details', () => {
    const error = new ProviderError('Slow down', all)
    expect(error).toBeInstanceOf(InterlinguaError)
    expect(error).toMatchObject({ ...all, name: 'ProviderError', code: 'provider-error', retryable: true })
    expect(error.hint).toBe('Wait, then try again.')
  })

  test('omits unknown details', () => {
    const error = new ProviderError('No answer', { kind: 'network' })
    expect('status' in error).toBe(false)
    expect(error.toJSON()).toEqual({
      code: 'provider-error',
      message: 'No answer',
      kind: 'network',
      hint: 'Check the base URL, that the server runs, and the network connection; then try again.',
      retryable: true,
    })
  })

  test('its JSON form contains the details and is plain data', () => {
    const error = new ProviderError('Slow down', { ...all, hint: 'Use a smaller model.' })
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'provider-error',
      message: 'Slow down',
      hint: 'Use a smaller model.',
      retryable: true,
      ...all,
    })
  })

  test('every kind has a hint', () => {
    for (const kind of PROVIDER_ERROR_KINDS)
      expect(new ProviderError('', { kind }).hint).toMatch(/^[A-Z].+\.$/)
  })

  test('keeps the body for code and never prints it', () => {
    const body = { error: { message: CANARY } }
    const error = new ProviderError('Refused', { kind: 'invalid-request', body })
    expect(error.body).toBe(body)
    expect(Object.keys(error)).not.toContain('body')
    for (const shown of printed(error)) expect(shown).not.toContain(CANARY)
    expect(Object.assign({}, error)).not.toHaveProperty('body')
  })

  test('copies no unknown field', () => {
    const request = { kind: 'server', headers: { authorization: CANARY }, apiKey: CANARY } as const
    const error = new ProviderError('Failed', request)
    for (const shown of printed(error)) expect(shown).not.toContain(CANARY)
  })

  test('keeps the cause, but not in JSON', () => {
    const error = new ProviderError('No answer', { kind: 'network', cause: new Error(CANARY) })
    expect(error.cause).toBeInstanceOf(Error)
    expect(JSON.stringify(error)).not.toContain(CANARY)
    expect('cause' in new ProviderError('No answer', { kind: 'network' })).toBe(false)
  })
})

describe('retryable', () => {
  const passing = ['rate-limit', 'overloaded', 'server', 'timeout', 'network']

  test.each(PROVIDER_ERROR_KINDS)('%s without a status is decided by its kind', (kind) => {
    expect(new ProviderError('', { kind }).retryable).toBe(passing.includes(kind))
  })

  test.each([400, 401, 402, 403, 404, 413, 422])('%d is final, whatever the kind', (status) => {
    for (const kind of PROVIDER_ERROR_KINDS) {
      expect(new ProviderError('', { kind, status }).retryable).toBe(false)
    }
  })

  test.each([
    ['rate-limit', 429, true],
    ['quota', 429, false],
    ['timeout', 408, true],
    ['invalid-request', 409, true],
    ['context-overflow', 500, false],
    ['server', 502, true],
    ['overloaded', 529, true],
    ['unknown', 200, false],
  ] as const)('%s with %d: %s', (kind, status, retryable) => {
    expect(new ProviderError('', { kind, status }).retryable).toBe(retryable)
  })

  test('the retry advice of the provider takes precedence', () => {
    expect(new ProviderError('', { kind: 'invalid-request', status: 400, shouldRetry: true }).retryable).toBe(
      true,
    )
    expect(new ProviderError('', { kind: 'overloaded', status: 529, shouldRetry: false }).retryable).toBe(
      false,
    )
  })
})

/** All automatic ways of printing an error. */
function printed(error: ProviderError): readonly string[] {
  return [
    String(error),
    error.message,
    error.stack ?? '',
    JSON.stringify(error),
    inspect(error, { depth: null }),
    inspect(error, { depth: null, showHidden: true }),
    JSON.stringify(Object.assign({}, error)),
  ]
}

const codecs = { anthropic, 'openai-chat': chat, ollama }
const other = { anthropic: 'openai-chat', 'openai-chat': 'ollama', ollama: 'anthropic' } as const
type Name = keyof typeof codecs

const key = fc.constantFrom(...'error message type code param detail details metadata raw msg loc'.split(' '))
const errorLike = fc.letrec<{ body: unknown }>((tie) => ({
  body: fc.oneof(
    { maxDepth: 4 },
    anyJson,
    fc.constantFrom('<html>', '<title', '{"error":', 'prompt is too long', 'overloaded_error', 429, '500'),
    fc.dictionary(key, tie('body'), { maxKeys: 4 }),
    fc.array(tie('body'), { maxLength: 2 }),
    tie('body').map((body) => JSON.stringify(body)),
  ),
})).body
const anyStatus = fc.oneof(fc.integer({ min: 100, max: 599 }), fc.integer(), fc.double(), fc.constant(429))
const headerName = fc.constantFrom('retry-after', 'retry-after-ms', 'date', 'request-id', 'get', '__proto__')
const anyHeaders = fc.dictionary(headerName, fc.oneof(fc.string(), fc.constantFrom('1', 'GMT', '1 GMT')))

describe.each(Object.keys(codecs) as Name[])('laws of the errors of %s', (name) => {
  const codec = codecs[name]

  test('anything is decoded as an error, which is encoded as a valid response', () => {
    law(fc.tuple(anyStatus, errorLike, anyHeaders), ([status, body, headers]) => {
      const error = codec.decodeError(status, body, headers)
      expect(error.message).not.toBe('')
      expect(error.message.length).toBeLessThanOrEqual(2_000)
      for (const dialect of [name, other[name]]) {
        const encoded = codecs[dialect].encodeError(error)
        expect(new Response('', encoded).status).toBeGreaterThanOrEqual(400)
        if (dialect !== name) expectWellFormed(dialect, encoded.body)
      }
      codec.decodeErrorEvent(body)
    })
  })

  test('a body of objects is encoded unchanged', () => {
    law(fc.tuple(fc.integer({ min: 400, max: 599 }), fc.dictionary(key, anyJson)), ([status, body]) => {
      const plain: unknown = JSON.parse(JSON.stringify(body))
      const encoded = codec.encodeError(codec.decodeError(status, plain))
      expectSame(encoded.body, plain)
      expect(encoded.status).toBe(status)
    })
  })

  test('an invalid request is never retried, unless the server advises it', () => {
    const final = fc.constantFrom(400, 401, 403, 404, 413, 422)
    law(fc.tuple(final, errorLike, fc.boolean()), ([status, body, should]) => {
      expect(codec.decodeError(status, body).retryable).toBe(false)
      expect(codec.decodeError(status, body, { 'x-should-retry': `${should}` }).retryable).toBe(should)
    })
  })

  const facts = {
    kind: fc.constantFrom(...PROVIDER_ERROR_KINDS),
    message: anyText.map((text) => `No: ${text}`.trim()),
    status: fc.integer({ min: 400, max: 599 }),
    retryAfterMs: fc.nat(),
    requestId: fc.stringMatching(/^[!-~]{1,20}$/),
  }

  test('kind, message, delay, id and retryability survive, in responses and in streams', () => {
    law(fc.record(facts, { requiredKeys: ['kind', 'message'] }), ({ message, ...details }) => {
      const error = new ProviderError(message, details)
      const { kind, retryAfterMs, requestId, retryable } = error
      const { status, headers, body } = codec.encodeError(error)
      const again = codec.decodeError(status, body, headers)
      expect(again).toMatchObject({ kind, message, retryable })
      expect([again.retryAfterMs, again.requestId]).toEqual([retryAfterMs, requestId])
      expectWellFormed(name, body)
      expect(codec.decodeErrorEvent(codec.encodeErrorEvent(error))).toMatchObject({ kind, message })
    })
  })

  test('secrets in headers are not copied', () => {
    const names = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'cookie', 'set-cookie', 'x-any']
    const headers = Object.fromEntries(names.map((header) => [header, CANARY]))
    for (const given of [headers, new Headers(headers)]) {
      const error = codec.decodeError(401, { error: { message: 'No' } }, given)
      const shown = [...printed(error), JSON.stringify(codec.encodeError(error))]
      expect(shown.join('\n')).not.toContain(CANARY)
    }
  })
})

interface ErrorReply {
  readonly id: string
  readonly dialect: string
  readonly status: number
  readonly response: unknown
}

const folder = new URL('../../shared/corpus/', import.meta.url)
const hasCorpus = existsSync(folder)
if (!hasCorpus) console.log('errors: skipped, no recordings in ../shared/corpus')

function errorReplies(dialect: Name): readonly ErrorReply[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.errors.jsonl'))
    .flatMap((file) => readFileSync(new URL(file, folder), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ErrorReply)
    .filter((reply) => reply.dialect === dialect)
}

describe.skipIf(!hasCorpus)('recorded errors', () => {
  test.each(Object.keys(codecs) as Name[])(
    'of %s are exact in their own dialect and well-formed in others',
    (name) => {
      const kinds: Record<string, number> = {}
      for (const { id, status, response } of errorReplies(name)) {
        const error = codecs[name].decodeError(status, response)
        kinds[error.kind] = (kinds[error.kind] ?? 0) + 1
        expect(error.kind, id).not.toBe('unknown')
        const same = codecs[name].encodeError(error)
        expectSame(same.body, response)
        expect(same.status, id).toBe(status)
        const foreign = codecs[other[name]].encodeError(error)
        expectWellFormed(other[name], foreign.body)
        const { kind, message, retryable } = error
        const again = codecs[other[name]].decodeError(foreign.status, foreign.body, foreign.headers)
        expect(again, id).toMatchObject({ kind, message, retryable })
      }
      console.log(`recorded errors of ${name}:`, kinds)
      expect(Object.keys(kinds)).not.toEqual([])
    },
  )
})

/** The fields that clients of a format rely on in an error body. */
function expectWellFormed(name: Name, body: unknown): void {
  const error = { message: expect.any(String), type: expect.any(String) }
  if (name === 'ollama') return expect(body).toMatchObject({ error: expect.any(String) })
  if (name === 'anthropic') expect(body).toMatchObject({ type: 'error', error })
  else expect(Object.keys((body as { error: object }).error)).toEqual(['message', 'type', 'param', 'code'])
  expect(body).toMatchObject({ error })
}
