import type { RequestListener } from 'node:http'
import { createGuardedFetch } from 'interlingua/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  at,
  closeHosts,
  fetchWith,
  inside,
  listen,
  names,
  openHosts,
  outside,
  refusal,
} from './guarded-hosts.ts'

beforeEach(openHosts)
afterEach(closeHosts)

test('a public host is fetched', async () => {
  const response = await fetchWith(names)(at('site.test', '/cat.png?x=1'), {
    headers: { authorization: 'Bearer x' },
  })
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'image/png',
    'png',
  ])
  expect(outside.seen).toMatchObject([
    { path: '/cat.png?x=1', headers: { host: `site.test:${outside.port}`, authorization: 'Bearer x' } },
  ])
})

test('by default no address of this machine is fetched, whatever its name', async () => {
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::ffff:127.0.0.1]',
    '0',
  ])
    await expect(createGuardedFetch()(at(host))).rejects.toMatchObject(refusal(/not public/))
  expect(outside.seen).toEqual([])
})

describe('[S9] a name that changes its address between check and connection', () => {
  test('is resolved once, and the checked address is connected to', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    let lookups = 0
    const fetch = fetchWith({}, { lookup: async () => answers[Math.min(lookups++, 1)] ?? [] })
    await fetch(at('rebind.test'))
    expect(lookups).toBe(1)
    expect([outside.seen.length, inside.seen.length]).toEqual([1, 0])
  })

  test('no connection to an earlier address of the name is reused', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const allowAddresses = ['127.0.0.0/8']
    const fetch = fetchWith({}, { allowAddresses, lookup: async () => answers.shift() ?? [] })
    await (await fetch(at('moved.test'))).text()
    await (await fetch(at('moved.test'))).text()
    expect([outside.seen.length, inside.seen.length]).toEqual([1, 1])
  })

  test('a name with one forbidden address among allowed ones is refused', async () => {
    const fetch = fetchWith({ 'mixed.test': ['127.0.0.1', '127.0.0.2'] })
    await expect(fetch(at('mixed.test'))).rejects.toMatchObject(refusal(/loopback/))
    expect(outside.seen).toEqual([])
  })
})

describe('[S10] one parser reads, checks and connects', () => {
  test('a backslash ends the host, so the name before it is used', async () => {
    const looked: string[] = []
    const lookup = async (host: string): Promise<string[]> => {
      looked.push(host)
      return ['127.0.0.1']
    }
    await fetchWith({}, { lookup })(`http://site.test:${outside.port}\\@127.0.0.2:${inside.port}/`)
    expect(looked).toEqual(['site.test'])
    expect(outside.seen).toMatchObject([{ path: `/@127.0.0.2:${inside.port}/` }])
    await expect(fetchWith(names)(`http://127.0.0.2:${inside.port}\\@site.test/`)).rejects.toMatchObject(
      refusal(/not public/),
    )
    expect(inside.seen).toEqual([])
  })

  test.each([
    'file:///etc/passwd',
    'ftp://site.test/',
    'data:text/plain,x',
    'gopher://site.test/',
    'not a url',
    '//site.test/',
  ])('%s is refused', async (url) => {
    await expect(fetchWith(names)(url)).rejects.toMatchObject({ code: 'fetch-refused' })
  })

  test('user names and passwords in a URL are refused', async () => {
    await expect(fetchWith(names)('http://user:secret@site.test/')).rejects.toMatchObject(
      refusal(/name or password/),
    )
  })
})

describe('[S11] redirects', () => {
  const redirectTo =
    (location: string, status = 302): RequestListener =>
    (request, response) => {
      if (request.url === '/start') response.writeHead(status, { location }).end()
      else response.end('arrived')
    }

  test.each([301, 302, 303, 307, 308])('%d is followed', async (status) => {
    outside.answer = redirectTo('/next', status)
    expect(await (await fetchWith(names)(at('site.test', '/start'))).text()).toBe('arrived')
  })

  test.each(['evil.test', '127.0.0.2', 'localhost', '[::1]', '169.254.169.254'])(
    'to %s is refused',
    async (host) => {
      outside.answer = redirectTo(`http://${host}:${inside.port}/secret`)
      const fetch = fetchWith({ ...names, localhost: ['127.0.0.2'] })
      await expect(fetch(at('site.test', '/start'))).rejects.toMatchObject(refusal(/not public/))
      expect(inside.seen).toEqual([])
    },
  )

  test('are followed without reading their bodies, and their connections are closed', async () => {
    const closed = new Promise((resolve) => {
      outside.answer = (request, response) => {
        if (request.url !== '/start') return void response.end('arrived')
        response.on('close', resolve).writeHead(302, { location: '/next' }).write('and so on')
      }
    })
    // Long enough that the timeout is not what closes them.
    const fetch = fetchWith(names, { timeoutMs: 600_000 })
    expect(await (await fetch(at('site.test', '/start'))).text()).toBe('arrived')
    await closed
  }, 20_000)

  test('to another scheme is refused', async () => {
    outside.answer = redirectTo('file:///etc/passwd')
    await expect(fetchWith(names)(at('site.test', '/start'))).rejects.toMatchObject(refusal(/file:/))
  })

  test('without an end are refused', async () => {
    outside.answer = (_request, response) => response.writeHead(302, { location: '/start' }).end()
    await expect(fetchWith(names, { maxRedirects: 2 })(at('site.test', '/start'))).rejects.toMatchObject(
      refusal(/too many redirects/),
    )
    expect(outside.seen.length).toBe(3)
  })
})

describe('[S17] credentials stay with their origin', () => {
  const headers = {
    authorization: 'Bearer secret',
    Cookie: 'a=b',
    'x-api-key': 'secret',
    accept: 'image/png',
  }

  test('another host receives none of them', async () => {
    outside.answer = (request, response) => {
      if (request.headers.host?.startsWith('site.test'))
        response.writeHead(302, { location: at('other.test', '/next') })
      response.end()
    }
    await fetchWith(names)(at('site.test'), { headers })
    const [first, second] = outside.seen.map((each) => each.headers)
    expect(first).toMatchObject({ authorization: 'Bearer secret', cookie: 'a=b', 'x-api-key': 'secret' })
    expect(JSON.stringify(second)).not.toMatch(/secret|a=b/)
    expect(second).toMatchObject({ accept: 'image/png' })
  })

  test('another port is another origin', async () => {
    const third = await listen('127.0.0.1')
    outside.answer = (_request, response) =>
      response.writeHead(307, { location: `http://site.test:${third.port}/` }).end()
    await fetchWith(names)(at('site.test'), { headers })
    expect(JSON.stringify(third.seen)).not.toContain('secret')
  })

  test('the same origin keeps them, and a redirect back does not restore them', async () => {
    outside.answer = (request, response) => {
      const next = { '/': '/here', '/here': at('other.test', '/there'), '/there': at('site.test', '/back') }[
        request.url ?? ''
      ]
      response.writeHead(next === undefined ? 200 : 302, next === undefined ? {} : { location: next }).end()
    }
    await fetchWith(names)(at('site.test'), { headers })
    expect(outside.seen.map((each) => [each.path, each.headers.authorization])).toEqual([
      ['/', 'Bearer secret'],
      ['/here', 'Bearer secret'],
      ['/there', undefined],
      ['/back', undefined],
    ])
  })
})
