import { type ChatEvent, type ChatRequest, textOf, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { defaultSettings, type Middleware, wrapModel } from '../../../src/client/middleware/middleware.ts'
import type { Model } from '../../../src/canonical/model/model-interface.ts'
import { scripted } from '../../../src/client/scripted-model.ts'

const request = { messages: [user('Hi')] }

/** Records when a call enters and leaves it. */
function passing(name: string, log: string[]): Middleware {
  return {
    async generate(asked, options, inner) {
      log.push(`> ${name}`)
      const reply = await inner.generate(asked, options)
      log.push(`< ${name}`)
      return reply
    },
    async *stream(asked, options, inner) {
      log.push(`> ${name}`)
      const answer = inner.stream(asked, options)
      yield* answer
      log.push(`< ${name}`)
      return answer.reply
    },
  }
}

test('the first is the outermost', async () => {
  const log: string[] = []
  const model = wrapModel(scripted(['a', 'b']), passing('one', log), passing('two', log))
  await model.generate(request)
  expect(log).toEqual(['> one', '> two', '< two', '< one'])
  await model.stream(request).reply
  expect(log.slice(4)).toEqual(log.slice(0, 4))
})

test('a wrapped model has the name and provider of the inner model', () => {
  const capabilities = { supportsTools: false }
  const model = wrapModel(scripted([], { name: 'n', provider: 'p', capabilities }), {}, {})
  expect(model).toMatchObject({ name: 'n', provider: 'p', capabilities })
})

test('tokens are counted by the inner model, for the transformed request', async () => {
  const counting: Model = {
    ...wrapModel(scripted([]), {}),
    countTokens: async ({ temperature = 7 }: ChatRequest) => temperature,
  }
  expect(await wrapModel(counting, defaultSettings({ temperature: 1 })).countTokens?.(request)).toBe(1)
  expect(wrapModel(scripted([]), {})).not.toHaveProperty('countTokens')
})

test('an empty middleware changes nothing', async () => {
  const model = wrapModel(scripted(['a', 'b']), {})
  expect((await model.generate(request)).text).toBe('a')
  expect((await model.stream(request).reply).text).toBe('b')
})

test('a middleware may reply itself, change events, or call the model twice', async () => {
  const inner = scripted(['one', 'two'])
  const twice: Middleware = {
    async generate(asked, options, next) {
      await next.generate(asked, options)
      return next.generate(asked, options)
    },
  }
  expect((await wrapModel(inner, twice).generate(request)).text).toBe('two')

  const loud: Middleware = {
    async *stream(asked, options, next) {
      const answer = next.stream(asked, options)
      for await (const event of answer)
        yield event.type === 'text-delta' ? { ...event, text: event.text.toUpperCase() } : event
      return answer.reply
    },
  }
  const events: ChatEvent[] = []
  for await (const event of wrapModel(scripted(['quiet']), loud).stream(request)) events.push(event)
  expect(events.find((event) => event.type === 'text-delta')).toMatchObject({ text: 'QUIET' })
})

test('leaving a wrapped stream closes the inner one', async () => {
  let closed = false
  const watching: Middleware = {
    async *stream(asked, options, next) {
      const answer = next.stream(asked, options)
      try {
        yield* answer
        return await answer.reply
      } finally {
        closed = true
      }
    },
  }
  for await (const _event of wrapModel(scripted(['one two']), watching, {}).stream(request)) break
  expect(closed).toBe(true)
})

test('options reach the model through any number of layers', async () => {
  const model = wrapModel(scripted([{ reply: 'a', delayMs: 60_000 }]), {}, defaultSettings({}))
  const signal = AbortSignal.timeout(5)
  await expect(model.generate(request, { signal })).rejects.toMatchObject({ code: 'aborted' })
})

describe('defaults', () => {
  test('[r63] apply to settings that the request does not have', async () => {
    const inner = scripted(['a', 'b'])
    const model = wrapModel(
      inner,
      defaultSettings({ temperature: 0, reasoning: { effort: 'low' }, maxOutputTokens: 5 }),
    )
    await model.generate({ ...request, temperature: 1, reasoning: { enabled: false } })
    await model.stream(request).reply
    expect(inner.requests).toMatchObject([
      { temperature: 1, reasoning: { enabled: false }, maxOutputTokens: 5 },
      { temperature: 0, reasoning: { effort: 'low' }, maxOutputTokens: 5 },
    ])
    expect(inner.requests[0]?.reasoning).toEqual({ enabled: false })
    expect(inner.requests.map(({ messages }) => [...messages].map((each) => textOf(each)))).toEqual([
      ['Hi'],
      ['Hi'],
    ])
  })

  test('undefined does not override a default', async () => {
    const inner = scripted(['a'])
    const silent = { ...request, temperature: undefined } as unknown as typeof request
    await wrapModel(inner, defaultSettings({ temperature: 0 })).generate(silent)
    expect(inner.requests).toMatchObject([{ temperature: 0 }])
  })
})
