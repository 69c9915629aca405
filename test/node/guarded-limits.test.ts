import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { at, closeHosts, fetchWith, names, openHosts, outside, refusal } from './guarded-hosts.ts'

beforeEach(openHosts)
afterEach(closeHosts)

describe('limits', () => {
  test('an announced size', async () => {
    outside.answer = (_request, response) =>
      response.writeHead(200, { 'content-length': '1000000' }).write('x')
    await expect(fetchWith(names, { maxBytes: 10 })(at('site.test'))).rejects.toMatchObject(
      refusal(/too large/),
    )
  })

  test('a body without an end', async () => {
    outside.answer = (_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000))) continue
      }
      response.on('drain', more)
      more()
    }
    await expect(fetchWith(names, { maxBytes: 100_000 })(at('site.test'))).rejects.toMatchObject(
      refusal(/too large/),
    )
  })

  test('a compressed body', async () => {
    outside.answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
    await expect(fetchWith(names)(at('site.test'))).rejects.toMatchObject(refusal(/compressed/))
    expect(outside.seen[0]?.headers['accept-encoding']).toBe('identity')
  })

  test.each([
    ['image/png', true],
    ['IMAGE/JPEG; q=1', true],
    ['text/plain', true],
    ['text/html', false],
    ['imagex/png', false],
    ['', false],
  ])('the media type %j: %s', async (type, accepted) => {
    outside.answer = (_request, response) =>
      response.writeHead(200, type === '' ? {} : { 'content-type': type }).end('x')
    const fetch = fetchWith(names, { mediaTypes: ['image/*', 'text/plain'] })
    const outcome = await fetch(at('site.test')).then(
      ({ status }) => status,
      (error: { code: string }) => error.code,
    )
    expect(outcome).toBe(accepted ? 200 : 'fetch-refused')
  })

  test.each([
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      /another protocol/,
    ],
    ['no answer', '', /reached|closed the connection/],
  ])('a host that answers with %s', async (_what, answer, message) => {
    outside.answer = ({ socket }) => (answer === '' ? socket.destroy() : socket.write(answer))
    await expect(fetchWith(names)(at('site.test'))).rejects.toMatchObject({
      code: 'fetch-failed',
      message: expect.stringMatching(message) as string,
    })
    expect(outside.seen).toHaveLength(1)
  })

  test.each(['headers', 'body', 'lookup'])('time, while waiting for the %s', async (what) => {
    outside.answer = (_request, response) => {
      if (what === 'body') response.writeHead(200).write('x')
    }
    const never = { lookup: () => new Promise<never>(() => {}) }
    const fetch = fetchWith(names, { timeoutMs: 50, ...(what === 'lookup' && never) })
    await expect(fetch(at('site.test'))).rejects.toMatchObject({ code: 'fetch-failed', retryable: true })
  })
})

test('abort is respected', async () => {
  outside.answer = () => {}
  const controller = new AbortController()
  const fetching = fetchWith(names)(at('site.test'), { signal: controller.signal })
  setTimeout(() => controller.abort('why'), 20)
  await expect(fetching).rejects.toMatchObject({ code: 'aborted', cause: 'why' })
})

test('an unknown name, and a port without a listener', async () => {
  await expect(fetchWith(names)('http://unknown.test/')).rejects.toMatchObject({
    code: 'fetch-failed',
    message: expect.stringContaining('ENOTFOUND') as string,
  })
  await expect(fetchWith(names)('http://site.test:9/')).rejects.toMatchObject({
    code: 'fetch-failed',
    message: expect.stringContaining('ECONNREFUSED') as string,
  })
})

test('statuses are returned unchanged', async () => {
  for (const status of [204, 404, 500]) {
    outside.answer = (_request, response) => response.writeHead(status).end()
    expect((await fetchWith(names)(at('site.test'))).status).toBe(status)
  }
})

test('an error quotes neither the address nor the content', async () => {
  const error: unknown = await fetchWith(names)(at('evil.test', '/?token=secret')).catch(
    (cause: unknown) => cause,
  )
  expect(JSON.stringify(error)).not.toMatch(/127\.0\.0|secret|evil/)
  expect(String(error)).not.toMatch(/127\.0\.0|secret|evil/)
})
