import { InterlinguaError, user } from 'interlingua'
import { openai } from 'interlingua/providers'
import { expect, test } from 'vitest'
import { createTransport } from '../../../src/client/transport/transport.ts'
import { pours, sends, startFake } from '../../providers/fakes/server.ts'
import { KEY } from '../../providers/fakes/table.ts'

const request = { messages: [user('Hi')] }

test('an endless error body is classified by its status', async () => {
  const fake = await startFake(pours('x'.repeat(100_000), 'application/json', { status: 500 }))
  const model = openai('fake-1', { apiKey: KEY, baseUrl: fake.url, retry: { maxAttempts: 1 } })
  await expect(model.generate(request)).rejects.toMatchObject({ kind: 'server', status: 500 })
  await fake.abandoned(1)
  await fake.close()
})

/** Returns the error for a response that cannot be decoded for this reason, and the number of requests. */
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

test('a bug in a decoder is not a connection error, and is not retried', async () => {
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
  'a response that a decoder rejects is a provider error without secrets: %s',
  async (code, kind, times) => {
    const { error, asked } = await unread(new InterlinguaError(code, `Not ${KEY}`))
    expect(error).toMatchObject({ kind, provider: 'someone' })
    expect((error as Error).message).toMatch(/^Not \[redacted\] \(GET http:[^ ]+\/\)$/)
    expect(asked).toBe(times)
  },
)

test.each([{}, { choices: [] }])('a response without a message is a provider error: %j', async (body) => {
  const fake = await startFake(sends(body))
  const model = openai('fake-1', { apiKey: KEY, baseUrl: fake.url })
  const about = { kind: 'server', provider: 'openai', retryable: false }
  await expect(model.generate(request)).rejects.toMatchObject(about)
  await expect(model.stream(request).reply).rejects.toMatchObject(about)
  await fake.close()
})
