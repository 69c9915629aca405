import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { image, user } from 'interlingua'
import { createGuardedFetch } from 'interlingua/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveMedia } from '../../src/client/resolve-media.ts'

let server: Server
let port: number
const paths: string[] = []

/** Serves an image; `/away` redirects to another host. */
beforeAll(async () => {
  server = createServer((request, response) => {
    paths.push(`${request.headers.host} ${request.url}`)
    if (request.url === '/away')
      response.writeHead(302, { location: `http://other.test:${port}/cat.gif` }).end()
    else response.writeHead(200, { 'content-type': 'image/gif' }).end('GIF89a')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

test('the allow-list applies to every hop', async () => {
  const fetch = createGuardedFetch({ allowAddresses: ['127.0.0.1'], lookup: async () => ['127.0.0.1'] })
  const messages = [user([image(`http://site.test:${port}/cat.gif`), image(`http://site.test:${port}/away`)])]
  const { resolved, unresolved } = await resolveMedia({ messages }, { fetch, allowedHosts: ['site.test'] })
  expect(resolved).toEqual(['/messages/0/content/0'])
  expect(unresolved).toMatchObject([{ reason: 'failed', error: { code: 'fetch-refused' } }])
  expect(paths).toEqual([`site.test:${port} /cat.gif`, `site.test:${port} /away`])
})

test('an allowed host with a private address is refused all the same', async () => {
  const messages = [user(image(`http://localhost:${port}/cat.gif`))]
  const { unresolved } = await resolveMedia(
    { messages },
    { fetch: createGuardedFetch(), allowedHosts: ['localhost'] },
  )
  expect(unresolved).toMatchObject([{ reason: 'failed', error: { code: 'fetch-refused' } }])
})

test('a plain fetch can be passed, and follows no redirect', async () => {
  const messages = [user([image(`http://127.0.0.1:${port}/cat.gif`), image(`http://127.0.0.1:${port}/away`)])]
  const { resolved, unresolved } = await resolveMedia({ messages }, { fetch, allowedHosts: ['127.0.0.1'] })
  expect([resolved.length, unresolved.length]).toEqual([1, 1])
})
