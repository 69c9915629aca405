import { user } from 'interlingua'
import { openai, type ProviderOptions } from 'interlingua/providers'
import { expect, test } from 'vitest'
import { resolveTransportSettings, type TransportOptions } from '../../../src/client/transport/settings.ts'
import { openaiChat } from '../../providers/fakes/openai-chat.ts'
import { startFake } from '../../providers/fakes/server.ts'
import { KEY, usualOf } from '../../providers/fakes/table.ts'

const request = { messages: [user('Hi')] }

/** Options with explicit `undefined`, which the compiler of a caller may allow. */
const withUndefined = (name: string, keys: readonly string[]): object => ({
  [name]: Object.fromEntries(keys.map((key) => [key, undefined])),
})

test.each([
  ['timeouts', ['headersMs', 'firstEventMs', 'idleMs', 'totalMs']],
  ['retry', ['maxAttempts', 'baseDelayMs', 'maxDelayMs', 'maxTotalDelayMs']],
  ['limits', ['maxBodyBytes']],
] as const)('an undefined option of %s has its default', (name, keys) => {
  const given = {
    ...withUndefined(name, keys),
    now: undefined,
    fetch: undefined,
  } as unknown as TransportOptions
  expect(resolveTransportSettings(given)[name]).toEqual(resolveTransportSettings({})[name])
})

test.each([
  ['/timeouts/idleMs', { timeouts: { idleMs: Number.NaN } }],
  ['/timeouts/totalMs', { timeouts: { totalMs: -1 } }],
  ['/retry/maxAttempts', { retry: { maxAttempts: '3' } }],
  ['/limits/maxBodyBytes', { limits: { maxBodyBytes: null } }],
])('a value that is not a number is rejected: %s', (path, options) => {
  const make = (): unknown => openai('fake-1', options as ProviderOptions)
  expect(make).toThrow(expect.objectContaining({ code: 'invalid-value', path }) as Error)
})

test('an undefined option does not override an option of the provider', async () => {
  const fake = await startFake(usualOf(openaiChat))
  const provider = openai.with({ apiKey: KEY, baseUrl: fake.url })
  const nothing = { apiKey: undefined, baseUrl: undefined, retry: undefined } as unknown as ProviderOptions
  expect((await provider('fake-1', nothing).generate(request)).text).toBe('Hello there.')
  expect(fake.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  await fake.close()
})

test('the content length is set by the transport, even if the header is given', async () => {
  const fake = await startFake(usualOf(openaiChat))
  const headers = { 'Content-Length': '100000', 'transfer-encoding': 'gzip', 'x-own': 'yes' }
  const model = openai('fake-1', { apiKey: KEY, baseUrl: fake.url, headers, timeouts: { headersMs: 5000 } })
  expect((await model.generate(request)).text).toBe('Hello there.')
  expect(fake.requests[0]?.headers['x-own']).toBe('yes')
  expect(Number(fake.requests[0]?.headers['content-length'])).toBeLessThan(100_000)
  await fake.close()
})
