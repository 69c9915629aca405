import { ProviderError, reasoning, textOf, toolCall, validate } from 'interlingua'
import { Agent, RunError, tool } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import type { Model, Reply } from '../../src/canonical/model/model-interface.ts'
import { scripted } from '../../src/client/scripted-model.ts'

const usage = { inputTokens: 60, outputTokens: 40, totalTokens: 100 }
const work = tool({ name: 'work', run: () => 'done' })
const call = toolCall({ name: 'work' })
/** A model that never stops calling. */
const busy = (): Model => scripted(() => toolCall({ name: 'work' }), { usage })

/** The same model with a price. */
function priced(model: Model, amount: number): Model {
  const withCost = (reply: Reply): Reply => ({
    ...reply,
    cost: { amount, currency: 'USD', asOf: '2026-11-15' },
  })
  return {
    name: model.name,
    provider: model.provider,
    capabilities: model.capabilities,
    generate: async (request, options) => withCost(await model.generate(request, options)),
    stream: (request, options) => model.stream(request, options),
  }
}

/** A model that never responds and ignores signals. */
const deaf: Model = {
  name: 'deaf',
  provider: 'test',
  capabilities: {},
  generate: () => new Promise(() => {}),
  stream: () => ({
    reply: new Promise(() => {}),
    [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
  }),
}

describe('a limit ends a run with its reason', () => {
  test.each([
    ['max-steps', { steps: 3 }, 3],
    ['max-tokens', { tokens: 250 }, 3],
    ['max-cost', { cost: 0.9 }, 2],
    ['max-steps', {}, 20],
  ] as const)('%s of %o', async (reason, limits, steps) => {
    const agent = new Agent({ model: priced(busy(), 0.5), tools: [work], limits })
    const result = await agent.send('Go')
    expect(result.finish).toEqual({ reason })
    expect(result.steps).toHaveLength(steps)
    expect(result.usage.totalTokens).toBe(steps * 100)
    expect(result.cost).toEqual({ amount: steps * 0.5, currency: 'USD', asOf: '2026-11-15' })
    expect(validate(result.messages)).toEqual([])
  })

  test('of cost counts calls with a price', async () => {
    const model = busy()
    let asked = 0
    const generate: Model['generate'] = (...question) => priced(model, 1).generate(...question)
    const half: Model = {
      ...priced(model, 1),
      generate: (...question) => (asked++ % 2 === 0 ? model.generate(...question) : generate(...question)),
    }
    const result = await new Agent({ model: half, tools: [work], limits: { cost: 2 } }).send('Go')
    expect([result.finish.reason, result.steps.length]).toEqual(['max-cost', 4])
    expect(result).not.toHaveProperty('cost')
  })

  test('of cost is not reached with prices in several currencies, which have no sum', async () => {
    const prices = ['USD', 'EUR']
    let asked = 0
    const model = busy()
    const mixed: Model = {
      ...priced(model, 1),
      generate: async (request, options) => ({
        ...(await model.generate(request, options)),
        cost: { amount: 1, currency: prices[asked++ % 2] ?? '', asOf: '2026-11-15' },
      }),
    }
    const result = await new Agent({ model: mixed, tools: [work], limits: { cost: 1.5, steps: 4 } }).send(
      'Go',
    )
    expect(result.finish).toEqual({ reason: 'max-steps' })
    expect(result).not.toHaveProperty('cost')
  })

  test('time, also while the model or a tool hangs', async () => {
    const limits = { timeMs: 5 }
    expect((await new Agent({ model: deaf, limits }).send('Go')).finish).toEqual({ reason: 'max-time' })
    const stuck = tool({ name: 'work', run: () => new Promise(() => {}) })
    const result = await new Agent({ model: busy(), tools: [stuck], limits }).send('Go')
    expect(result.finish).toEqual({ reason: 'max-time' })
    expect(validate(result.messages)).toEqual([])
  })

  test('time, also while nothing is awaited; a limit of a month does not expire at once', async () => {
    const agent = new Agent({ model: busy(), tools: [work] })
    expect((await agent.send('Go', { limits: { timeMs: 0 } })).finish).toEqual({ reason: 'max-time' })
    const slow = tool({
      name: 'work',
      timeoutMs: 30 * 86_400_000,
      run: () => new Promise((resolve) => setTimeout(resolve, 5, 'done')),
    })
    const patient = new Agent({ model: scripted([call, 'Done.']), tools: [slow] })
    const { text, messages } = await patient.send('Go', { limits: { timeMs: Infinity } })
    expect(text).toBe('Done.')
    expect(JSON.stringify(messages)).not.toContain('isError')
  })

  test('the time limit of the agent applies to tools without one of their own', async () => {
    const stuck = tool({ name: 'work', run: () => new Promise(() => {}) })
    const agent = new Agent({ model: scripted([call, 'Done.']), tools: [stuck], toolTimeoutMs: 5 })
    const { messages } = await agent.send('Go')
    expect(JSON.stringify(messages)).toContain('within 5 ms')
  })

  test('a condition of the caller, with its reason', async () => {
    const stopWhen = ({ steps }: { steps: readonly unknown[] }): string | boolean =>
      steps.length === 2 && 'enough'
    const result = await new Agent({ model: busy(), tools: [work], stopWhen }).send('Go')
    expect(result.finish).toEqual({ reason: 'condition', detail: 'enough' })
    expect(result.steps).toHaveLength(2)
  })

  test('takes constant time to check after many steps', async () => {
    let looks = 0
    const model = busy()
    const counted: Model = {
      ...priced(model, 1),
      generate: async (...question) => ({
        ...(await model.generate(...question)),
        cost: {
          currency: 'USD',
          asOf: '2026-11-15',
          get amount() {
            looks += 1
            return 1
          },
        },
      }),
    }
    const limits = { steps: 100, tokens: Infinity, cost: 1_000 }
    const { cost } = await new Agent({ model: counted, tools: [work], limits }).send('Go')
    expect(cost?.amount).toBe(100)
    expect(looks).toBeLessThan(5 * 100)
  })

  test('the limits of a run override those of the agent', async () => {
    const agent = new Agent({ model: busy(), tools: [work], limits: { steps: 5, tokens: 1_000 } })
    expect((await agent.send('Go', { limits: { steps: 1 } })).steps).toHaveLength(1)
  })
})

describe('a model that returns nothing', () => {
  test('after tools is called once more only', async () => {
    const again = scripted([call, [], 'Done.'])
    const answered = await new Agent({ model: again, tools: [work] }).send('Go')
    expect([answered.text, answered.finish.reason, answered.steps.length]).toEqual(['Done.', 'stop', 3])
    const silent = scripted([call, [], [reasoning('Hm.')], 'too late'])
    const ended = await new Agent({ model: silent, tools: [work] }).send('Go')
    expect([ended.text, ended.finish.reason, ended.steps.length]).toEqual(['', 'no-answer', 3])
    expect(validate(ended.messages)).toEqual([])
  })

  test('at first is not called again', async () => {
    const { finish, messages } = await new Agent({ model: scripted([[], 'x']) }).send('Go')
    expect(finish.reason).toBe('no-answer')
    expect(messages).toHaveLength(1)
  })

  test('because of the token limit reports that reason', async () => {
    const cut = scripted([{ reply: [], finish: { reason: 'length' } }])
    expect((await new Agent({ model: cut }).send('Go')).finish).toEqual({ reason: 'length' })
  })
})

describe('an abort', () => {
  test('before the run returns the prompt only', async () => {
    const { finish, messages } = await new Agent({ model: deaf }).send('Go', { signal: AbortSignal.abort() })
    expect(finish).toEqual({ reason: 'aborted' })
    expect(messages.map((message) => textOf(message))).toEqual(['Go'])
  })

  test('keeps the received text, adds results to complete calls, and drops incomplete ones', async () => {
    const controller = new AbortController()
    const model = scripted([['Let me see.', toolCall({ id: 'whole', name: 'work' }), call]])
    const stream = new Agent({ model, tools: [work] }).stream('Go', { signal: controller.signal })
    for await (const { event } of stream) {
      if (event?.type === 'part-start' && event.index === 2) controller.abort()
    }
    const { messages, finish } = await stream.result
    expect(finish).toEqual({ reason: 'aborted' })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(messages[1]).toMatchObject({
      finish: { reason: 'aborted' },
      content: [{ type: 'text' }, { id: 'whole' }],
    })
    expect(validate(messages)).toEqual([])
  })

  test('happens when the reader of a stream leaves, and releases everything', async () => {
    let seen: AbortSignal | undefined
    const model = scripted((_, { signal }) => {
      seen = signal
      return { reply: 'a long story', eventDelayMs: 1 }
    })
    const stream = new Agent({ model }).stream('Go')
    for await (const { event } of stream) if (event !== undefined) break
    expect(seen?.aborted).toBe(true)
    expect((await stream.result).finish).toEqual({ reason: 'aborted' })
  })
})

describe('an error of the model', () => {
  const failure = new ProviderError('no more', { kind: 'quota' })

  test('ends the run with what was complete before it', async () => {
    const agent = new Agent({ model: scripted([call, failure]), tools: [work] })
    const error: unknown = await agent.send('Go').catch((thrown: unknown) => thrown)
    if (!(error instanceof RunError)) return expect.fail('another error')
    expect(error.cause).toBe(failure)
    expect([error.code, error.message]).toEqual(['provider-error', 'no more'])
    expect(error.partial.finish).toEqual({ reason: 'error' })
    expect(error.partial.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  test('in the middle of a stream keeps the received text', async () => {
    const model = scripted([{ reply: 'Once upon a time', breakAfterEvents: 4, error: failure }])
    const stream = new Agent({ model }).stream('Go')
    let text = ''
    const error: unknown = await (async () => {
      for await (const chunk of stream) text += chunk.text
    })().catch((thrown: unknown) => thrown)
    if (!(error instanceof RunError)) return expect.fail('another error')
    expect(text).not.toBe('')
    expect(error.partial.messages.map((message) => textOf(message))).toEqual(['Go', text])
    await expect(stream.result).rejects.toBe(error)
  })
})
