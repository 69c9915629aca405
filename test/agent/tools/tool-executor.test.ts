import { image, json, text, toolCall, type ToolResultPart } from 'interlingua'
import { tool, ToolExecutor, type ToolInput } from 'interlingua/agent'
import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const

/** The result of one call of one tool. */
async function resultOf(
  given: ToolInput,
  input: Parameters<typeof toolCall>[0]['arguments'] = {},
): Promise<ToolResultPart> {
  const name = 'name' in given ? given.name : ''
  const call = toolCall({ id: 'call_1', name, arguments: input })
  const { results } = await new ToolExecutor({ tools: [given] }).executeBatch([call])
  return results[0] ?? expect.fail('no result')
}

const contentOf = async (run: () => unknown): Promise<ToolResultPart['content']> =>
  (await resultOf(tool({ name: 'work', run }))).content

describe('[r177] the output of a tool becomes a result', () => {
  const picture = image('https://example.com/cat.png')

  test.each([
    ['text as text', 'Sunny', [text('Sunny')]],
    ['JSON as JSON', { celsius: 4 }, [json({ celsius: 4 })]],
    ['a list of JSON as JSON', [1, 2], [json([1, 2])]],
    ['nothing as null', undefined, [json(null)]],
    ['media as media', picture, [picture]],
    ['parts and text between them', ['Look:', picture], [text('Look:'), picture]],
    [
      'values that only JSON.stringify converts',
      { at: new Date(0) },
      [json({ at: '1970-01-01T00:00:00.000Z' })],
    ],
    [
      'data that looks like a part stays data',
      { type: 'text', text: 'x' },
      [json({ type: 'text', text: 'x' })],
    ],
  ])('%s', async (_, output, expected) => {
    expect(await contentOf(() => output)).toEqual(expected)
    expect(await contentOf(async () => output)).toEqual(expected)
  })

  test('an iterable reports progress, and its result is the value it returns or else yields last', async () => {
    const reported: unknown[] = []
    const run = (returned?: string): Promise<unknown> => {
      const work = tool({
        name: 'work',
        run: async function* () {
          yield 1
          yield { half: true }
          return returned
        },
      })
      const executor = new ToolExecutor({
        tools: [work],
        onProgress: (_, progress) => reported.push(progress),
      })
      return executor.executeBatch([toolCall({ id: 'call_1', name: 'work' })])
    }
    expect(await run('all')).toMatchObject({ results: [{ content: [{ text: 'all' }] }] })
    expect(await run()).toMatchObject({ results: [{ content: [{ value: { half: true } }] }] })
    expect(reported).toEqual([1, { half: true }, 1, { half: true }])
  })
})

describe('[r181] an error becomes an error result', () => {
  test.each([
    ['of a tool that throws', tool({ name: 'a', run: () => expect.fail('broken pipe') }), {}, /broken pipe/],
    [
      'of one that rejects',
      tool({ name: 'a', run: async () => Promise.reject(new Error('no')) }),
      {},
      /^no$/,
    ],
    [
      'of one that throws a value that is not an error',
      tool({ name: 'a', run: () => Promise.reject('what') }),
      {},
      /^what$/,
    ],
    ['of output that is not JSON', tool({ name: 'a', run: () => 5n }), {}, /BigInt/i],
    [
      'of arguments that do not conform to the schema',
      tool({ name: 'a', input: city, run: () => 1 }),
      { city: 5 },
      /\/city/,
    ],
    ['of arguments that are missing', tool({ name: 'a', input: city, run: () => 1 }), {}, /city/],
    [
      'of arguments that are not JSON [C2]',
      tool({ name: 'a', input: city, run: () => 1 }),
      '{"ci',
      /not a JSON/,
    ],
  ])('%s', async (_, given, input, message) => {
    const { isError, content } = await resultOf(given, input)
    expect(isError).toBe(true)
    expect(content).toEqual([{ type: 'text', text: expect.stringMatching(message) }])
  })

  test('a call of an unknown tool gets a list of the available ones', async () => {
    const tools = [tool({ name: 'weather', run: () => 1 }), tool({ name: 'time', run: () => 1 })]
    const calls = ['constructor', '__proto__'].map((name, at) => toolCall({ id: `call_${at}`, name }))
    const { results } = await new ToolExecutor({ tools }).executeBatch(calls)
    for (const { isError, content } of results) {
      expect(isError).toBe(true)
      expect(content).toEqual([{ type: 'text', text: expect.stringContaining('weather, time') }])
    }
  })
})

describe('input', () => {
  test.each([
    ['zod', z.object({ days: z.number().default(3) })],
    ['arktype', type({ days: 'number = 3' })],
  ])('of %s has its defaults applied', async (_, input) => {
    const forecast = tool<{ days: number }>({ name: 'forecast', input, run: ({ days }) => days })
    expect((await resultOf(forecast)).content).toEqual([json(3)])
  })

  test('a null that a strict schema required is omitted', async () => {
    const input = { ...city, properties: { ...city.properties, unit: { type: 'string' } } } as const
    const weather = tool({ name: 'weather', input, run: (given) => given as object })
    expect((await resultOf(weather, { city: 'Oslo', unit: null })).content).toEqual([json({ city: 'Oslo' })])
  })
})

describe('a batch', () => {
  test('of 50 calls never runs more than 8 at a time; one that hangs is timed out; the order is that of the calls', async () => {
    let running = 0
    let most = 0
    const work = tool({
      name: 'work',
      run: async (_, { call }) => {
        most = Math.max(most, ++running)
        for (let turns = call.id.length; turns > 0; turns--) await new Promise(setImmediate)
        running -= 1
        return call.id
      },
    })
    const stuck = tool({ name: 'stuck', timeoutMs: 5, run: () => new Promise(() => {}) })
    const calls = Array.from({ length: 50 }, (_, n) => {
      return toolCall({ id: `call_${'x'.repeat(n % 7)}${n}`, name: n === 13 ? 'stuck' : 'work' })
    })
    const { results } = await new ToolExecutor({ tools: [work, stuck], concurrency: 8 }).executeBatch(calls)
    expect(most).toBe(8)
    expect(results.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id))
    expect(results.filter(({ isError }) => isError).map(({ callId, content }) => [callId, content])).toEqual([
      [calls[13]?.id, [{ type: 'text', text: expect.stringContaining('5 ms') }]],
    ])
  })

  test('with many at a time causes no warning about a listener leak', async () => {
    const warned: string[] = []
    const onWarning = ({ name }: Error): void => void warned.push(name)
    process.on('warning', onWarning)
    const tools = [tool({ name: 'work', needsApproval: true, run: () => new Promise(setImmediate) })]
    const calls = Array.from({ length: 40 }, (_, at) => toolCall({ id: `call_${at}`, name: 'work' }))
    const approve = (): Promise<'approve'> => new Promise((resolve) => setImmediate(resolve, 'approve'))
    const { signal } = new AbortController()
    await new ToolExecutor({ tools, approve, signal, concurrency: 40 }).executeBatch(calls)
    await new Promise(setImmediate)
    process.off('warning', onWarning)
    expect(warned).toEqual([])
  })

  test('retries a tool as often as it allows, and passes the number of the attempt', async () => {
    const attempts: number[] = []
    const flaky = tool({
      name: 'flaky',
      retries: 2,
      run: (_, { attempt }) => {
        attempts.push(attempt)
        if (attempt < 3) throw new Error('not yet')
        return 'now'
      },
    })
    expect((await resultOf(flaky)).content).toEqual([text('now')])
    expect(attempts).toEqual([1, 2, 3])
  })

  test('counts uses over batches, in the order of the calls, and only those with valid arguments', async () => {
    const twice = tool({ name: 'twice', input: city, maxUses: 2, run: () => 'done' })
    const executor = new ToolExecutor({ tools: [twice] })
    const call = (id: string, input: object): ReturnType<typeof toolCall> =>
      toolCall({ id, name: 'twice', arguments: { ...input } })
    const oslo = { city: 'Oslo' }
    const first = await executor.executeBatch([call('a', oslo), call('b', {})])
    const second = await executor.executeBatch([call('c', oslo), call('d', oslo)])
    const failed = [...first.results, ...second.results].map(({ isError = false }) => isError)
    expect(failed).toEqual([false, true, false, true])
  })

  test('progress of a tool after its time limit is ignored', async () => {
    const reported: unknown[] = []
    let late: () => void = () => expect.fail('never ran')
    const slow = tool({
      name: 'slow',
      timeoutMs: 1,
      run: (_, { reportProgress }) => {
        reportProgress('in time')
        late = () => reportProgress('too late')
        return new Promise(() => {})
      },
    })
    const executor = new ToolExecutor({ tools: [slow], onProgress: (_, progress) => reported.push(progress) })
    await executor.executeBatch([toolCall({ name: 'slow' })])
    late()
    expect(reported).toEqual(['in time'])
  })

  test('a tool gets the signal of the run, and its output after an abort is ignored', async () => {
    const controller = new AbortController()
    const seen: boolean[] = []
    const tools = [
      tool({
        name: 'work',
        run: async (_, { signal }) => {
          controller.abort()
          seen.push(signal.aborted)
          await new Promise(setImmediate)
          throw new Error('too late')
        },
      }),
    ]
    const executor = new ToolExecutor({ tools, signal: controller.signal, concurrency: 1 })
    const calls = ['call_1', 'call_2'].map((id) => toolCall({ id, name: 'work' }))
    const { results } = await executor.executeBatch(calls)
    expect(seen).toEqual([true])
    expect(results.map(({ isError }) => isError)).toEqual([true, true])
  })
})
