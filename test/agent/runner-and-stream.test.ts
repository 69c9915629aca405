import { reasoning, type RunEvent, textOf, toolCall, validate } from 'interlingua'
import { Agent, type AgentResult, cosineSimilarity, embedAll, renderText, tool } from 'interlingua/agent'
import { toUIMessageStream } from 'interlingua/formats/ai-sdk-ui'
import { describe, expect, test } from 'vitest'
import type { EmbeddingModel } from '../../src/canonical/model/model-interface.ts'
import { scripted } from '../../src/client/scripted-model.ts'
import { Recorder } from './recording-runner.ts'

describe('a runner', () => {
  const calls = ['a', 'b'].map((id) => toolCall({ id, name: 'work' }))
  const keys = ['model/0', 'tool/a', 'tool/b', 'model/1']

  test('executes every model call and tool call under stable keys', async () => {
    const recorder = new Recorder()
    const work = tool({ name: 'work', run: (_, { call }) => call.id })
    await new Agent({ model: scripted([calls, 'Done.']), tools: [work] }).send('Go', { runner: recorder })
    expect([...recorder.log.keys()].toSorted()).toEqual(keys.toSorted())
  })

  test.each(keys)(
    'that crashes before %s and restarts runs nothing twice, and has the same result',
    async (dieAt) => {
      const answers = [calls, 'Done.'] as const
      let asked = 0
      const ran: string[] = []
      const work = tool({ name: 'work', run: (_, { call }) => ran.push(call.id) })
      const agent = new Agent({
        model: scripted(() => answers[asked++] ?? ''),
        tools: [work],
        concurrency: 1,
      })
      let next = 0
      const options = (): { newId: () => string } => {
        next = 0
        return { newId: () => `id_${next++}` }
      }
      const first = new Recorder(new Map(), (key) => key === dieAt)
      await expect(agent.send('Go', { ...options(), runner: first })).rejects.toThrow('died')
      const stream = agent.stream('Go', { ...options(), runner: new Recorder(first.log) })
      let text = ''
      for await (const chunk of stream) text += chunk.text
      const result: AgentResult = await stream.result
      expect(text).toBe('Done.')
      expect(ran.toSorted()).toEqual(['a', 'b'])
      expect(asked).toBe(2)
      expect(validate(result.messages)).toEqual([])
      expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    },
  )
})

test('a recorded reply is streamed, though the model is not called', async () => {
  const recorder = new Recorder()
  const agent = new Agent({ model: scripted([[reasoning('Hm.'), 'Recorded.']]) })
  await agent.send('Go', { runner: recorder })
  let [text, thoughts] = ['', '']
  for await (const chunk of agent.stream('Go', { runner: new Recorder(recorder.log) })) {
    text += chunk.text
    thoughts += chunk.thinking ?? ''
  }
  expect([text, thoughts]).toEqual(['Recorded.', 'Hm.'])
})

describe('a stream', () => {
  test('can be converted to UI protocols', async () => {
    const work = tool({ name: 'work', run: () => 'done' })
    const model = scripted([toolCall({ id: 'call_1', name: 'work' }), 'Done.'])
    const kinds: string[] = []
    for await (const { type } of toUIMessageStream(
      new Agent({ model, tools: [work] }).stream('Go').events(),
    )) {
      kinds.push(type)
    }
    expect(kinds.filter((kind) => /^(tool|text-d|start-step|finish$)/.test(kind))).toEqual([
      'start-step',
      'tool-input-start',
      'tool-input-available',
      'tool-output-available',
      'start-step',
      'text-delta',
      'finish',
    ])
  })

  test('returns the result without iteration, and before it', async () => {
    const agent = new Agent({ model: scripted(['One.', 'Two.']) })
    expect((await agent.stream('Go').result).text).toBe('One.')
    const stream = agent.stream('Go')
    const { result } = stream
    let text = ''
    for await (const chunk of stream) text += chunk.text
    expect([text, (await result).text]).toEqual(['Two.', 'Two.'])
  })

  test('reports the progress of tools', async () => {
    const work = tool({
      name: 'work',
      run: async function* (_, { reportProgress }) {
        reportProgress('begun')
        yield { half: true }
        return 'done'
      },
    })
    const model = scripted([toolCall({ id: 'call_1', name: 'work' }), 'Done.'])
    const progress: unknown[] = []
    for await (const chunk of new Agent({ model, tools: [work] }).stream('Go'))
      if (chunk.tool) progress.push(chunk.tool)
    expect(progress).toEqual([
      { callId: 'call_1', name: 'work', progress: 'begun' },
      { callId: 'call_1', name: 'work', progress: { half: true } },
    ])
  })

  test('[r169] is rendered with thinking on request, separated by two newlines', async () => {
    const render = async (thinking: boolean): Promise<string> => {
      const model = scripted([[reasoning('Hm.'), 'Yes.', reasoning('Or?'), 'No.']])
      let whole = ''
      for await (const piece of renderText(new Agent({ model }).stream('Go'), { thinking })) whole += piece
      return whole
    }
    expect(await render(true)).toBe('Hm.\n\nYes.\n\nOr?\n\nNo.')
    expect(await render(false)).toBe('Yes.No.')
  })

  test('yields every event of the model once', async () => {
    const events: RunEvent[] = []
    for await (const event of new Agent({ model: scripted(['Hi.']) }).stream('Go').events())
      events.push(event)
    expect(events.filter((event) => 'type' in event && event.type === 'text-delta').length).toBeGreaterThan(0)
    expect(events.filter((event) => 'type' in event && event.type === 'finish')).toHaveLength(1)
  })
})

describe('[r184] embeddings', () => {
  const purposes: unknown[] = []
  const embedding: EmbeddingModel = {
    name: 'lengths',
    provider: 'test',
    embed: async (texts, options) => {
      purposes.push([options?.purpose, texts.length])
      return { vectors: texts.map((text) => [text.length, 1]) }
    },
  }

  test('of one text, and of several in batches with progress', async () => {
    const agent = new Agent({ model: scripted([]), embedding })
    expect(await agent.embedQuery('four')).toEqual([4, 1])
    const progress: unknown[] = []
    const texts = ['a', 'bb', 'ccc']
    const onProgress = (done: number, total: number): void => void progress.push([done, total])
    expect(await agent.embedDocuments(texts, { batchSize: 2, onProgress })).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ])
    expect(progress).toEqual([
      [2, 3],
      [3, 3],
    ])
    expect(purposes).toEqual([
      ['query', 1],
      ['document', 2],
      ['document', 1],
    ])
  })

  test('are requested in parallel, up to the limit, which the model must not multiply', async () => {
    let running = 0
    const seen: unknown[] = []
    const slow: EmbeddingModel = {
      ...embedding,
      embed: async (texts, options) => {
        seen.push([++running, options?.concurrency])
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        return { vectors: texts.map((text) => [text.length, 1]) }
      },
    }
    const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee']
    expect(await embedAll(slow, texts, { batchSize: 1, concurrency: 3 })).toEqual(
      texts.map((text) => [text.length, 1]),
    )
    expect(seen.slice(0, 3)).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ])
    expect(Math.max(...seen.map((each) => (each as number[])[0] ?? 0))).toBe(3)
  })

  test('need a model that returns one vector per text', async () => {
    await expect(new Agent({ model: scripted([]) }).embedQuery('x')).rejects.toMatchObject({
      path: '/embedding',
    })
    const none: EmbeddingModel = { ...embedding, embed: async () => ({ vectors: [] }) }
    await expect(embedAll(none, ['x'])).rejects.toMatchObject({ code: 'invalid-value' })
  })

  test.each([0, -1, NaN])(
    'in batches of %d are rejected: they would never end, or lose texts',
    async (batchSize) => {
      await expect(embedAll(embedding, ['x'], { batchSize })).rejects.toMatchObject({ path: '/batchSize' })
    },
  )

  test('are compared by their direction', () => {
    expect(cosineSimilarity([1, 0], [2, 0])).toBe(1)
    expect(cosineSimilarity([1, 0.7, 1], [3, 2.0999999999999996, 3])).toBe(1)
    expect(cosineSimilarity([1, 0], [0, 3])).toBe(0)
    expect(cosineSimilarity([1, 1], [-2, -2])).toBeCloseTo(-1)
    expect(cosineSimilarity([0, 0], [1, 1])).toBe(0)
    expect(() => cosineSimilarity([1], [1, 2])).toThrow(expect.objectContaining({ code: 'invalid-value' }))
  })
})

describe('an agent as a tool', () => {
  const inner = new Agent({
    model: scripted([toolCall({ id: 'x', name: 'risky' }), 'It is 4 °C.']),
    tools: [tool({ name: 'risky', needsApproval: true, run: () => 4 })],
  })
  const ask = toolCall({ id: 'call_1', name: 'expert', arguments: { prompt: 'Oslo?' } })

  test('returns its text, reports its progress, and forwards its approvals', async () => {
    const asked: string[] = []
    const expert = inner.asTool({ name: 'expert', description: 'Knows the weather.' })
    const outer = new Agent({ model: scripted([ask, 'Cold.']), tools: [expert] })
    const stream = outer.stream('Go', {
      approve: ({ name }) => {
        asked.push(name)
        return 'approve'
      },
    })
    let progress = ''
    for await (const { tool: working } of stream) {
      if (typeof working?.progress === 'string') progress += working.progress
    }
    const { messages } = await stream.result
    expect(progress).toBe('It is 4 °C.')
    expect(asked).toEqual(['risky'])
    expect(messages[2] && textOf(messages[2])).toBe('It is 4 °C.')
  })

  test('returns typed output on request', async () => {
    const typed = new Agent({ model: scripted(['{"celsius":4}']) })
    const output = { type: 'object', properties: { celsius: { type: 'number' } } } as const
    const expert = typed.asTool({ name: 'expert', description: 'Knows.', output })
    const { messages } = await new Agent({ model: scripted([ask, 'Cold.']), tools: [expert] }).send('Go')
    expect(messages[2]?.content).toMatchObject([{ content: [{ type: 'json', value: { celsius: 4 } }] }])
  })

  test('is counted with its usage, also if it fails', async () => {
    const usage = { inputTokens: 60, outputTokens: 40, totalTokens: 100 }
    const costly = new Agent({ model: scripted(['It is 4 °C.', new Error('gone')], { usage }) })
    const expert = costly.asTool({ name: 'expert', description: 'Knows.' })
    const model = scripted(() => toolCall({ name: 'expert', arguments: { prompt: 'Oslo?' } }), { usage })
    const outer = new Agent({ model, tools: [expert], limits: { tokens: 300 } })
    const result = await outer.send('Go')
    expect(result.finish).toEqual({ reason: 'max-tokens' })
    expect(result.steps.map((step) => step.tool)).toEqual([undefined, 'expert', undefined])
    expect(result.usage.totalTokens).toBe(300)
  })

  test('pauses without a decision, and the run with it', async () => {
    const alone = inner.with({ model: scripted([toolCall({ id: 'x', name: 'risky' })]) })
    const expert = alone.asTool({ name: 'expert', description: 'Knows.' })
    const { paused } = await new Agent({ model: scripted([ask, 'Sorry.']), tools: [expert] }).send('Go')
    expect(paused?.pending.map(({ call }) => [call.id, call.name])).toEqual([['call_1/x', 'risky']])
  })
})
