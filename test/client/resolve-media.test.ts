import {
  assistant,
  audio,
  type ChatRequest,
  file,
  image,
  type MediaPart,
  Messages,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import {
  type MediaFetchInit,
  type ResolveMediaOptions,
  resolveMedia,
} from '../../src/client/resolve-media.ts'
import { scripted } from '../../src/client/scripted-model.ts'

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const PNG_BASE64 = 'iVBORw0KGgoBAgM='
const url = 'https://images.example.com/cat.png'

/** A fetch that serves from a table and records its requests. */
function serving(pages: { readonly [url: string]: Response | Error }): {
  readonly fetch: NonNullable<ResolveMediaOptions['fetch']>
  readonly asked: { readonly url: string; readonly init: MediaFetchInit }[]
} {
  const asked: { readonly url: string; readonly init: MediaFetchInit }[] = []
  return {
    asked,
    async fetch(address, init) {
      asked.push({ url: address, init })
      const page = pages[address] ?? new Response('no', { status: 404 })
      if (page instanceof Error) throw page
      return page.clone()
    },
  }
}

function asking(part: MediaPart): ChatRequest {
  return { messages: [user(['What is this?', part])] }
}

const png = (): Response => new Response(PNG, { headers: { 'content-type': 'image/png' } })
const allow = ['images.example.com']

describe('media at a URL', () => {
  test('are fetched from hosts that are allowed', async () => {
    const { fetch, asked } = serving({ [url]: png() })
    const request = asking(image(url, { detail: 'low', mediaType: 'image/jpeg' }))
    const result = await resolveMedia(request, { fetch, allowedHosts: allow })
    const [message] = [...result.request.messages]
    expect(message?.content[1]).toEqual({
      type: 'image',
      detail: 'low',
      source: { kind: 'base64', data: PNG_BASE64, mediaType: 'image/png' },
    })
    expect(message?.id).toBe([...request.messages][0]?.id)
    expect(result).toMatchObject({ resolved: ['/messages/0/content/1'], unresolved: [] })
    expect(asked.map((each) => [each.url, each.init.redirect])).toEqual([[url, 'error']])
  })

  test('reach a model that accepts only bytes, without a loss', async () => {
    const { fetch } = serving({ [url]: png() })
    const model = scripted(['A cat', 'A cat'], { dialect: 'ollama' })
    const lost = async (request: ChatRequest): Promise<number> =>
      (await model.generate(request)).losses.filter(({ severity }) => severity === 'loss').length
    const before = asking(image(url))
    expect(await lost(before)).toBeGreaterThan(0)
    expect(await lost((await resolveMedia(before, { fetch, allowedHosts: allow })).request)).toBe(0)
  })

  test('are fetched once for several parts, including tool results', async () => {
    const { fetch, asked } = serving({ [url]: png() })
    const call = toolCall({ id: 'call_1', name: 'look', arguments: {} })
    const messages = Messages.of(
      user(image(url)),
      assistant(call),
      toolResults(toolResult(call, ['Seen:', image(url)])),
      user('And now?'),
    )
    const result = await resolveMedia({ messages }, { fetch, allowedHosts: allow })
    expect(result.resolved).toEqual(['/messages/0/content/0', '/messages/2/content/0/content/1'])
    expect(asked.length).toBe(1)
    const [before, after] = [[...messages], [...result.request.messages]]
    expect(after.map((each, index) => each === before[index])).toEqual([false, true, false, true])
  })
})

describe('nothing is fetched without permission', () => {
  test('[S8] by default nothing is fetched', async () => {
    const request = asking(image(url))
    const result = await resolveMedia(request)
    expect(result.request).toBe(request)
    expect(result.unresolved).toEqual([{ path: '/messages/0/content/1', reason: 'no-fetch' }])
  })

  test.each([
    ['a fetch without a list', url, undefined],
    ['another host', 'https://evil.example/cat.png', allow],
    ['a host with the same ending', 'https://evilimages.example.com/cat.png', allow],
    ['user information before the host', 'https://images.example.com@evil.example/cat.png', allow],
    ['a backslash', 'https://evil.example\\@images.example.com/cat.png', allow],
    ['another scheme', 'file://images.example.com/etc/passwd', allow],
    ['data that is not base64', 'data:image/svg+xml,<svg/>', allow],
    ['text that is not a URL', 'images.example.com/cat.png', allow],
    ['the parent host of a wildcard', 'https://example.com/cat.png', ['*.example.com']],
  ])('[S8] %s', async (_what, address, list) => {
    const { fetch, asked } = serving({})
    const part: MediaPart = { type: 'image', source: { kind: 'url', url: address } }
    const result = await resolveMedia(asking(part), { fetch, ...(list && { allowedHosts: list }) })
    expect(result.unresolved).toMatchObject([{ reason: 'not-allowed' }])
    expect(asked).toEqual([])
  })

  test('a wildcard allows subdomains, in any spelling', async () => {
    const { fetch, asked } = serving({ [url]: png() })
    const part: MediaPart = {
      type: 'image',
      source: { kind: 'url', url: 'HTTPS://IMAGES.Example.com:443/./cat.png' },
    }
    expect((await resolveMedia(asking(part), { fetch, allowedHosts: ['*.Example.com'] })).unresolved).toEqual(
      [],
    )
    expect(asked[0]?.url).toBe(url)
  })

  test('a fetch that follows redirects can check each hop', async () => {
    const { fetch, asked } = serving({ [url]: png() })
    await resolveMedia(asking(image(url)), { fetch, allowedHosts: allow })
    const mayGo = asked[0]?.init.allow
    expect([mayGo?.(new URL(url)), mayGo?.(new URL('http://169.254.169.254/'))]).toEqual([true, false])
  })
})

describe('media that cannot be resolved stay and are reported', () => {
  const html = (): Response => new Response('<html>', { headers: { 'content-type': 'text/html' } })
  test.each<[string, MediaPart, Response | Error, string]>([
    ['a status', image(url), new Response('no', { status: 404 }), 'failed'],
    ['a failure', image(url), new TypeError('fetch failed'), 'failed'],
    ['a page in place of an image', image(url), html(), 'wrong-type'],
    ['an image in place of a sound', audio(url), png(), 'wrong-type'],
    ['no type', file(url), new Response(Uint8Array.of(1)), 'wrong-type'],
    [
      'too much',
      image(url),
      new Response(new Uint8Array(2_000), { headers: { 'content-type': 'image/png' } }),
      'too-large',
    ],
  ])('%s', async (_what, part, page, reason) => {
    const { fetch } = serving({ [url]: page })
    const request = asking(part)
    const result = await resolveMedia(request, { fetch, allowedHosts: allow, maxBytes: 1_000 })
    expect(result.request).toBe(request)
    expect(result.unresolved).toMatchObject([{ path: '/messages/0/content/1', reason }])
  })

  test('mediaTypes replaces the default of the part type', async () => {
    const { fetch } = serving({ [url]: html() })
    const options = { fetch, allowedHosts: allow, mediaTypes: ['text/*'] }
    expect((await resolveMedia(asking(file(url)), options)).unresolved).toEqual([])
    expect(
      (await resolveMedia(asking(image(url)), { ...options, mediaTypes: ['image/png'] })).unresolved,
    ).toMatchObject([{ reason: 'wrong-type' }])
  })

  test('the other media are still resolved', async () => {
    const { fetch } = serving({ [url]: png() })
    const request = { messages: [user([image('https://images.example.com/gone.png'), image(url)])] }
    const { resolved, unresolved } = await resolveMedia(request, { fetch, allowedHosts: allow })
    expect([resolved, unresolved.map(({ path }) => path)]).toEqual([
      ['/messages/0/content/1'],
      ['/messages/0/content/0'],
    ])
  })

  test('an abort ends it', async () => {
    const controller = new AbortController()
    const fetch = (): Promise<never> => {
      controller.abort()
      return Promise.reject(new Error('aborted'))
    }
    await expect(
      resolveMedia(asking(image(url)), { fetch, allowedHosts: allow, signal: controller.signal }),
    ).rejects.toMatchObject({
      code: 'aborted',
    })
  })
})

describe('uploads to a provider', () => {
  const uploads: unknown[] = []
  const upload: NonNullable<ResolveMediaOptions['upload']> = async (given) => {
    uploads.push(given)
    return { id: `file-${uploads.length}`, provider: 'openai' }
  }

  test('bytes become an id, fetched ones as well, each file once', async () => {
    uploads.length = 0
    const { fetch } = serving({ [url]: png() })
    const bytes = image({ data: PNG }, { name: 'cat.png' })
    const request = {
      messages: [user([bytes, image(url), bytes, image({ id: 'file-0', provider: 'openai' })])],
    }
    const result = await resolveMedia(request, { fetch, allowedHosts: allow, upload })
    const [message] = [...result.request.messages]
    expect(message?.content).toEqual([
      {
        type: 'image',
        source: { kind: 'id', id: 'file-1', provider: 'openai' },
        mediaType: 'image/png',
        name: 'cat.png',
      },
      { type: 'image', source: { kind: 'id', id: 'file-2', provider: 'openai' }, mediaType: 'image/png' },
      {
        type: 'image',
        source: { kind: 'id', id: 'file-1', provider: 'openai' },
        mediaType: 'image/png',
        name: 'cat.png',
      },
      { type: 'image', source: { kind: 'id', id: 'file-0', provider: 'openai' } },
    ])
    expect(uploads).toEqual([
      { type: 'image', data: PNG_BASE64, mediaType: 'image/png', name: 'cat.png' },
      { type: 'image', data: PNG_BASE64, mediaType: 'image/png' },
    ])
  })

  test('limits apply to uploads, too, and a failure is reported', async () => {
    const big = asking(image({ data: PNG }))
    expect((await resolveMedia(big, { upload, maxBytes: 5 })).unresolved).toMatchObject([
      { reason: 'too-large' },
    ])
    expect((await resolveMedia(big, { upload, mediaTypes: ['image/gif'] })).unresolved).toMatchObject([
      { reason: 'wrong-type' },
    ])
    const error = new Error('full')
    const failing = (): Promise<never> => Promise.reject(error)
    expect((await resolveMedia(big, { upload: failing })).unresolved).toEqual([
      { path: '/messages/0/content/1', reason: 'failed', error },
    ])
  })
})
