import { readFileSync } from 'node:fs'
import { ProviderError, StreamError, textOf, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { startFake } from '../../providers/fakes/server.ts'
import { KEY, oneOfEach } from '../../providers/fakes/table.ts'
import { bodies, type Case, refusals, streamed } from './cases.ts'

const request = { messages: [user('Hi')] }
const ATTEMPTS = 2
const way = { apiKey: KEY, retry: { attempts: ATTEMPTS }, sleep: () => Promise.resolve() }

describe.each(oneOfEach)('$name', (provider) => {
  /** Lets the same thing happen each time, and counts how often the fake was asked. */
  async function suffer(
    { act, options }: Case,
    how: 'generate' | 'stream',
  ): Promise<{ readonly error?: unknown; readonly text?: string; readonly asked: number }> {
    const fake = await startFake(act(provider.wire))
    const model = provider.at(fake.url)('fake-1', { ...way, ...options })
    try {
      const reply = how === 'generate' ? model.generate(request) : model.stream(request).reply
      const { text } = await reply
      return { text, asked: fake.requests.length }
    } catch (error) {
      return { error, asked: fake.requests.length }
    } finally {
      await fake.close()
    }
  }

  async function check(each: Case, how: 'generate' | 'stream'): Promise<void> {
    const { error, text, asked } = await suffer(each, how)
    expect(asked).toBe(each.again ? ATTEMPTS : 1)
    if (each.kind === undefined) return expect(text).toBe(each.partial)
    expect(error).toMatchObject({ kind: each.kind })
    if (each.partial === undefined) {
      expect(error).toBeInstanceOf(ProviderError)
      expect(error).toMatchObject({ provider: provider.at('http://127.0.0.1')('fake-1').provider })
    } else {
      expect(error).toBeInstanceOf(StreamError)
      const [message] = (error as StreamError).partial.candidates
      expect(message && textOf(message)).toBe(each.partial)
    }
  }

  test.concurrent.each(refusals)('$title', async (each) => {
    await check(each, 'generate')
    await check(each, 'stream')
  })

  test.concurrent.each(bodies)('$title', (each) => check(each, 'generate'))

  test.concurrent.each(streamed)('$title', (each) => check(each, 'stream'))
})

describe('docs/reliability.md', () => {
  const page = readFileSync(new URL('../../../docs/reliability.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| (.+?) +\| `?([a-z-]+)`? +\| (yes|no) +\|$/gm)].map(
    ([, title, kind, again]) => `${title}: ${kind}, ${again}`,
  )

  test('says what was seen here, and nothing else', () => {
    const seen = [...refusals, ...bodies, ...streamed].map(
      ({ title, kind = 'none', again }) => `${title}: ${kind}, ${again ? 'yes' : 'no'}`,
    )
    expect(rows.toSorted()).toEqual(seen.toSorted())
  })
})
