import { readFileSync } from 'node:fs'
import { ProviderError, StreamError, textOf, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { startFake } from '../../providers/fakes/server.ts'
import { fakeProviders, KEY, oneOfEach } from '../../providers/fakes/table.ts'
import { bodies, type Case, refusals, streamed } from './failure-cases.ts'

const request = { messages: [user('Hi')] }
const ATTEMPTS = 2
const way = { apiKey: KEY, retry: { maxAttempts: ATTEMPTS }, sleep: () => Promise.resolve() }

/** Cases that are tested with every provider; the others depend only on the dialect. */
const common: ReadonlySet<string> = new Set([
  'status 401',
  'status 429',
  'status 503',
  'a conversation that is too long',
  'a body is larger than allowed',
  'a stream is cut between two events',
  'a stream is cut after its last event',
])

/** Timeouts take time and depend only on bytes and events: one provider for each framing. */
const framings: ReadonlySet<string> = new Set(['openai', 'anthropic', 'ollama'])

describe.each(fakeProviders)('$name', (provider) => {
  const tried = (cases: readonly Case[]): readonly Case[] =>
    cases.filter(({ title, options }) =>
      options?.timeouts === undefined
        ? common.has(title) || oneOfEach.includes(provider)
        : framings.has(provider.name),
    )

  /** Repeats the same behavior, and counts the requests. */
  async function suffer(
    { act, options }: Case,
    how: 'generate' | 'stream',
  ): Promise<{
    readonly error?: unknown
    readonly text?: string
    readonly asked: number
    readonly who: string
    readonly url: string
  }> {
    const fake = await startFake(act(provider.wire))
    let sent = 0
    const counting: typeof fetch = (...parameters) => {
      sent++
      return fetch(...parameters)
    }
    const model = provider.at(fake.url)('fake-1', { ...way, fetch: counting, ...options })
    const about = (): { readonly asked: number; readonly who: string; readonly url: string } => {
      // On a busy machine a timeout may expire before the request has arrived.
      const asked = options?.timeouts === undefined ? fake.requests.length : sent
      return { asked, who: model.provider, url: fake.url }
    }
    try {
      const reply = how === 'generate' ? model.generate(request) : model.stream(request).reply
      const { text } = await reply
      return { text, ...about() }
    } catch (error) {
      return { error, ...about() }
    } finally {
      await fake.close()
    }
  }

  async function check(each: Case, how: 'generate' | 'stream'): Promise<void> {
    const { error, text, asked, who, url } = await suffer(each, how)
    expect(asked).toBe(each.again ? ATTEMPTS : 1)
    if (each.kind === undefined) return expect(text).toBe(each.partial)
    expect(error).toMatchObject({ kind: each.kind })
    // The error names the request, whatever failed.
    const { message, cause } = error as Error
    expect(message).toContain(` (POST ${url}/`)
    expect(message).toMatch(/, model 'fake-1'\)$/)
    const source = error instanceof StreamError ? cause : error
    expect(source).toMatchObject({ model: 'fake-1', url: expect.stringContaining(`${url}/`) as string })
    if (each.partial === undefined) {
      expect(error).toBeInstanceOf(ProviderError)
      expect(error).toMatchObject({ provider: who })
    } else {
      expect(error).toBeInstanceOf(StreamError)
      const [message] = (error as StreamError).partial.candidates
      expect(message && textOf(message)).toBe(each.partial)
    }
  }

  test.concurrent.each(tried(refusals))('$title', async (each) => {
    await check(each, 'generate')
    await check(each, 'stream')
  })

  test.concurrent.each(tried(bodies))('$title', (each) => check(each, 'generate'))

  test.concurrent.each(tried(streamed))('$title', (each) => check(each, 'stream'))
})

describe('docs/reference/errors.md', () => {
  const page = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| (.+?) +\| `?([a-z-]+)`? +\| (yes|no) +\|$/gm)].map(
    ([, title, kind, again]) => `${title}: ${kind}, ${again}`,
  )

  test('lists the failures tested, and nothing else', () => {
    const seen = [...refusals, ...bodies, ...streamed].map(
      ({ title, kind = 'none', again }) => `${title}: ${kind}, ${again ? 'yes' : 'no'}`,
    )
    expect(rows.toSorted()).toEqual(seen.toSorted())
  })
})
