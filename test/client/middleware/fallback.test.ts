import { readFileSync } from 'node:fs'
import {
  type ChatEvent,
  toEvents,
  InterlinguaError,
  PROVIDER_ERROR_KINDS,
  ProviderError,
  type ProviderErrorKind,
  StreamError,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { demo } from '../../../src/client/demo-model.ts'
import { fallback } from '../../../src/client/middleware/fallback.ts'
import { wrapModel } from '../../../src/client/middleware/middleware.ts'
import type { Model } from '../../../src/canonical/model/model-interface.ts'
import { scripted, type ScriptedModel } from '../../../src/client/scripted-model.ts'

const request = { messages: [user('Hi')] }

function failing(kind: ProviderErrorKind): ProviderError {
  return new ProviderError(`failed: ${kind}`, { kind })
}

function second(): ScriptedModel {
  return scripted(['from the second', 'from the second'], { name: 'second', provider: 'other' })
}

/** The row of each kind on the page. */
const page = readFileSync(new URL('../../../docs/guide/middleware.md', import.meta.url), 'utf8')
const TABLE = new Map(
  [...page.matchAll(/^\| `([a-z-]+)` +\| (yes|no) /gm)].map(([, kind, says]) => [kind, says === 'yes']),
)

test('the page lists all kinds', () => {
  expect(new Set(TABLE.keys())).toEqual(new Set(PROVIDER_ERROR_KINDS))
})

describe.each(PROVIDER_ERROR_KINDS)('%s', (kind) => {
  test(TABLE.get(kind) ? 'falls back' : 'is thrown', async () => {
    const error = failing(kind)
    const other = second()
    const model = wrapModel(scripted([error, error]), fallback([other]))
    const outcomes = await Promise.allSettled([model.generate(request), model.stream(request).reply])
    for (const outcome of outcomes) {
      if (TABLE.get(kind))
        expect(outcome).toMatchObject({
          value: {
            text: 'from the second',
            servedBy: { provider: 'other', model: 'second', failures: [error] },
          },
        })
      else expect(outcome).toMatchObject({ reason: error })
    }
    expect(other.calls.length).toBe(TABLE.get(kind) ? 2 : 0)
  })
})

test('the wrapped model is called first, and named in servedBy', async () => {
  const other = second()
  const { text, servedBy } = await wrapModel(scripted(['first']), fallback([other])).generate(request)
  expect({ text, servedBy }).toEqual({
    text: 'first',
    servedBy: { provider: 'scripted', model: 'scripted' },
  })
  expect(other.calls).toEqual([])
})

test('models are called in order, and the last error is thrown if all fail', async () => {
  const errors = [failing('overloaded'), failing('timeout'), failing('rate-limit')]
  const models = errors.map((error) => scripted([error, error]))
  const [first, ...others] = models
  if (first === undefined) throw new Error('no model')
  const model = wrapModel(first, fallback(others))
  await expect(model.generate(request)).rejects.toBe(errors[2])
  await expect(model.stream(request).reply).rejects.toBe(errors[2])
  expect(models.map(({ calls }) => calls.length)).toEqual([2, 2, 2])
})

test('other errors: retryable ones fall back, bugs do not', async () => {
  const cut = new InterlinguaError('stream-cut', 'cut', { retryable: true })
  expect((await wrapModel(scripted([cut]), fallback([second()])).generate(request)).text).toBe(
    'from the second',
  )
  const bug = new TypeError('not a function')
  await expect(wrapModel(scripted([bug]), fallback([second()])).generate(request)).rejects.toBe(bug)
})

test('the errors that fall back can be configured', async () => {
  const model = wrapModel(
    scripted([failing('content-filter')]),
    fallback([second()], { shouldFallBack: () => true }),
  )
  expect((await model.generate(request)).text).toBe('from the second')
})

test('an abort does not fall back', async () => {
  const other = second()
  const model = wrapModel(
    scripted([{ reply: 'a', delayMs: 60_000 }]),
    fallback([other], { shouldFallBack: () => true }),
  )
  await expect(model.generate(request, { signal: AbortSignal.timeout(5) })).rejects.toMatchObject({
    code: 'aborted',
  })
  expect(other.calls).toEqual([])
})

describe('streams', () => {
  const error = failing('overloaded')

  test('fall back before the first content event, even after the start event', async () => {
    const broken = { reply: 'one two', breakAfterEvents: 1, error }
    const events: ChatEvent[] = []
    const stream = wrapModel(scripted([broken]), fallback([second()])).stream(request)
    for await (const event of stream) events.push(event)
    expect(events.filter(({ type }) => type === 'start')).toMatchObject([{ model: 'second' }])
    const { text, servedBy } = await stream.reply
    expect(text).toBe('from the second')
    expect(servedBy?.failures).toMatchObject([{ cause: error }])
  })

  test('do not fall back after the first content event', async () => {
    const other = second()
    const model = wrapModel(scripted([{ reply: 'one two', breakAfterEvents: 3, error }]), fallback([other]))
    await expect(model.stream(request).reply).rejects.toBeInstanceOf(StreamError)
    expect(other.calls).toEqual([])
  })

  test('a response without a message is a failure, too', async () => {
    const empty = scripted([{ events: toEvents({ candidates: [] }) }])
    expect((await wrapModel(empty, fallback([second()])).stream(request).reply).text).toBe('from the second')
  })
})

test('an aborted call does not fall back, even if shouldFallBack returns true', async () => {
  let asked = 0
  const deaf = demo()
  const other: Model = {
    ...deaf,
    generate: (...given) => (asked++, deaf.generate(given[0])),
    stream: (...given) => (asked++, deaf.stream(given[0])),
  }
  for (const streamed of [false, true]) {
    const controller = new AbortController()
    const broken = scripted(() => (controller.abort(), new Error('broken')))
    const model = wrapModel(broken, fallback([other], { shouldFallBack: () => true }))
    const { signal } = controller
    const answer = streamed ? model.stream(request, { signal }).reply : model.generate(request, { signal })
    await expect(answer).rejects.toThrow()
  }
  expect(asked).toBe(0)
})
