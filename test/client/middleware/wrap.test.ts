import { type ChatEvent, textOf, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { defaults } from '../../../src/client/middleware/defaults.ts'
import { type Middleware, wrap } from '../../../src/client/middleware/wrap.ts'
import type { Model } from '../../../src/client/model.ts'
import { scripted } from '../../../src/client/scripted.ts'

const request = { messages: [user('Hi')] }

/** Notes when it is passed, on the way in and on the way out. */
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
  const model = wrap(scripted(['a', 'b']), passing('one', log), passing('two', log))
  await model.generate(request)
  expect(log).toEqual(['> one', '> two', '< two', '< one'])
  await model.stream(request).reply
  expect(log.slice(4)).toEqual(log.slice(0, 4))
})

test('a wrapped model presents itself as the one inside', () => {
  const capabilities = { tools: false }
  const model = wrap(scripted([], { name: 'n', provider: 'p', capabilities }), {}, {})
  expect(model).toMatchObject({ name: 'n', provider: 'p', capabilities })
})

test('tokens are counted by the model inside, of what it would be asked', async () => {
  const counting: Model = {
    ...wrap(scripted([]), {}),
    countTokens: async ({ temperature = 7 }) => temperature,
  }
  expect(await wrap(counting, defaults({ temperature: 1 })).countTokens?.(request)).toBe(1)
  expect(wrap(scripted([]), {})).not.toHaveProperty('countTokens')
})

test('a middleware that has nothing to say is passed by', async () => {
  const model = wrap(scripted(['a', 'b']), {})
  expect((await model.generate(request)).text).toBe('a')
  expect((await model.stream(request).reply).text).toBe('b')
})

test('a middleware may answer itself, change events, or ask twice', async () => {
  const inner = scripted(['one', 'two'])
  const twice: Middleware = {
    async generate(asked, options, next) {
      await next.generate(asked, options)
      return next.generate(asked, options)
    },
  }
  expect((await wrap(inner, twice).generate(request)).text).toBe('two')

  const loud: Middleware = {
    async *stream(asked, options, next) {
      const answer = next.stream(asked, options)
      for await (const event of answer)
        yield event.type === 'text-delta' ? { ...event, text: event.text.toUpperCase() } : event
      return answer.reply
    },
  }
  const said: ChatEvent[] = []
  for await (const event of wrap(scripted(['quiet']), loud).stream(request)) said.push(event)
  expect(said.find((event) => event.type === 'text-delta')).toMatchObject({ text: 'QUIET' })
})

test('leaving a wrapped stream closes the one inside', async () => {
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
  for await (const _event of wrap(scripted(['one two']), watching, {}).stream(request)) break
  expect(closed).toBe(true)
})

test('options reach the model through any number of layers', async () => {
  const model = wrap(scripted([{ reply: 'a', delay: 60_000 }]), {}, defaults({}))
  const signal = AbortSignal.timeout(5)
  await expect(model.generate(request, { signal })).rejects.toMatchObject({ code: 'aborted' })
})

describe('defaults', () => {
  test('[r63] are for what the request does not say', async () => {
    const inner = scripted(['a', 'b'])
    const model = wrap(inner, defaults({ temperature: 0, reasoning: { effort: 'low' }, maxOutputTokens: 5 }))
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

  test('nothing is said by undefined', async () => {
    const inner = scripted(['a'])
    const silent = { ...request, temperature: undefined } as unknown as typeof request
    await wrap(inner, defaults({ temperature: 0 })).generate(silent)
    expect(inner.requests).toMatchObject([{ temperature: 0 }])
  })
})
