import { InterlinguaError, user } from 'interlingua'
import { openai } from 'interlingua/providers'
import { expect, test } from 'vitest'
import { createTransport } from '../../../src/client/transport/transport.ts'
import { pours, sends, startFake } from '../../providers/fakes/server.ts'
import { KEY } from '../../providers/fakes/table.ts'

const request = { messages: [user('Hi')] }

test('an error without an end is known by its status', async () => {
  const fake = await startFake(pours('x'.repeat(100_000), 'application/json', { status: 500 }))
  const model = openai('fake-1', { apiKey: KEY, baseUrl: fake.url, retry: { maxAttempts: 1 } })
  await expect(model.generate(request)).rejects.toMatchObject({ kind: 'server', status: 500 })
  await fake.abandoned(1)
  await fake.close()
})

/** What comes of an answer that cannot be read for this reason, and how often it was asked for. */
async function unread(reason: Error): Promise<{ readonly error: unknown; readonly asked: number }> {
  const fake = await startFake(sends('{}'))
  const host = {
    provider: 'someone',
    connect: () => ({ baseUrl: fake.url, headers: { 'x-api-key': KEY } }),
    decodeError: () => expect.fail('no error came'),
    readErrorInBody: () => undefined,
  }
  const read = (): Promise<never> => Promise.reject(reason)
  const transport = createTransport(host, { sleep: () => Promise.resolve() })
  const asked = transport.send({ method: 'GET', path: '/' }, read, undefined)
  const error: unknown = await asked.catch((each: unknown) => each)
  await fake.close()
  return { error, asked: fake.requests.length }
}

test('what our own reading trips over is no failure of the connection, and is not asked for again', async () => {
  const { error, asked } = await unread(new TypeError(`unexpected ${KEY}`))
  expect(error).toMatchObject({ kind: 'server', provider: 'someone', retryable: false })
  expect((error as Error).cause).toMatchObject({ message: 'unexpected [redacted]' })
  expect(asked).toBe(1)
})

test.each([
  ['stream-cut', 'network', 3],
  ['line-too-long', 'too-large', 1],
  ['invalid-value', 'server', 1],
] as const)(
  'what our own reading refuses is an error of the provider, without its secrets: %s',
  async (code, kind, times) => {
    const { error, asked } = await unread(new InterlinguaError(code, `Not ${KEY}`))
    expect(error).toMatchObject({ kind, provider: 'someone', message: 'Not [redacted]' })
    expect(asked).toBe(times)
  },
)

test.each([{}, { choices: [] }])(
  'an answer without a message is an error of its provider: %j',
  async (told) => {
    const fake = await startFake(sends(told))
    const model = openai('fake-1', { apiKey: KEY, baseUrl: fake.url })
    const about = { kind: 'server', provider: 'openai', retryable: false }
    await expect(model.generate(request)).rejects.toMatchObject(about)
    await expect(model.stream(request).reply).rejects.toMatchObject(about)
    await fake.close()
  },
)
