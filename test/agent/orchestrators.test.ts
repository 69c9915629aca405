import { textOf, toolCall, validate } from 'interlingua'
import { Agent, type Orchestrator, createOutputSpec, selectOrchestrator, tool } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { scripted } from '../../src/client/scripted-model.ts'

const work = tool({ name: 'work', run: () => 'done' })
const call = toolCall({ name: 'work' })
const output = createOutputSpec({ type: 'object' })

/** An orchestrator that calls the model once and records its calls. */
function noting(log: string[], step?: Orchestrator['step']): Orchestrator {
  return {
    name: 'noting',
    init: () => void log.push('init'),
    step:
      step ??
      (async (run) => {
        log.push('step')
        const { message, usage } = await run.callModel()
        return {
          messages: [message],
          ...(usage && { usage }),
          shouldContinue: false,
          finish: { reason: 'stop' },
        }
      }),
    close: async () => void log.push('close'),
  }
}

describe('[r179, C25] the orchestrator is chosen by tools, schema and capability', () => {
  test.each([
    ['tool-loop', { hasTools: false, capabilities: {} }],
    ['tool-loop', { hasTools: true, capabilities: { supportsOutputSchema: false } }],
    ['native-output', { hasTools: false, output, capabilities: {} }],
    ['native-output', { hasTools: true, output, capabilities: {} }],
    ['native-output', { hasTools: false, output, capabilities: { supportsOutputWithTools: false } }],
    ['two-phases', { hasTools: true, output, capabilities: { supportsOutputWithTools: false } }],
    ['return-result', { hasTools: true, output, capabilities: { supportsOutputSchema: false } }],
    ['return-result', { hasTools: false, output, capabilities: { supportsOutputSchema: false } }],
    [
      'native-output',
      { hasTools: true, output, capabilities: { supportsOutputSchema: false, supportsTools: false } },
    ],
    [
      'native-output',
      { hasTools: true, output, capabilities: { supportsOutputWithTools: false, supportsTools: false } },
    ],
  ])('%s for %o', (name, needs) => {
    expect(selectOrchestrator(needs).name).toBe(name)
  })
})

describe('[r178, r186] a custom orchestrator is passed in', () => {
  test('to the agent, or to one run', async () => {
    const log: string[] = []
    const agent = new Agent({ model: scripted(['One.', 'Two.']), orchestrator: noting(log) })
    expect((await agent.send('Go')).text).toBe('One.')
    expect(log).toEqual(['init', 'step', 'close'])
    const own: string[] = []
    expect((await agent.send('Go', { orchestrator: noting(own) })).text).toBe('Two.')
    expect(own).toEqual(['init', 'step', 'close'])
    expect(log).toHaveLength(3)
  })

  test('it can change the request, run tool calls, and decide when to stop', async () => {
    const twice: Orchestrator = {
      name: 'twice',
      async step(run) {
        const { message } = await run.callModel({ request: { temperature: run.steps.length } })
        const results = await run.runToolCalls(message)
        return {
          messages: [message, results],
          shouldContinue: run.steps.length < 2,
          finish: { reason: 'condition' },
        }
      },
    }
    const model = scripted([call, call])
    const result = await new Agent({ model, tools: [work], orchestrator: twice }).send('Go')
    expect(model.calls.map(({ sentRequest }) => sentRequest.temperature)).toEqual([0, 1])
    expect(result.finish).toEqual({ reason: 'condition' })
    expect(validate(result.messages)).toEqual([])
  })

  test('a round that it ran and did not return is kept', async () => {
    const rash: Orchestrator = {
      name: 'rash',
      async step(run) {
        await run.runToolCalls((await run.callModel()).message)
        throw new Error('changed my mind')
      },
    }
    const sent = new Agent({ model: scripted([call]), tools: [work], orchestrator: rash }).send('Go')
    const error = await sent.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ partial: { messages: [{}, { role: 'assistant' }, { role: 'tool' }] } })
  })
})

describe('[r185] what a run opens is closed', () => {
  test.each([
    ['after an error', () => Promise.reject(new Error('broken'))],
    [
      'after an abort',
      (run: { signal: AbortSignal }) =>
        new Promise<never>((_, reject) => {
          run.signal.addEventListener('abort', () => reject(new Error('aborted')))
        }),
    ],
  ])('%s', async (_, step) => {
    const log: string[] = []
    const controller = new AbortController()
    const agent = new Agent({ model: scripted([]), orchestrator: noting(log, step) })
    const run = agent.send('Go', { signal: controller.signal }).catch(() => {})
    await new Promise(setImmediate)
    controller.abort()
    await run
    expect(log).toEqual(['init', 'close'])
  })

  test('listeners on the caller’s signal are removed with the run', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1
      add(...given)
    }
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners -= 1
      remove(...given)
    }
    await new Agent({ model: scripted([call, 'Done.']), tools: [work], limits: { timeMs: 10_000 } }).send(
      'Go',
      { signal },
    )
    expect(listeners).toBe(0)
  })
})

test('[r180] runs of one agent share no mutable state', async () => {
  const counted = tool({ name: 'work', maxUses: 1, run: () => 'done' })
  const model = scripted(({ messages }) =>
    [...messages].some(({ role }) => role === 'tool') ? 'Done.' : call,
  )
  const agent = new Agent({ model, tools: [counted] })
  const results = await Promise.all(Array.from({ length: 20 }, (_, run) => agent.send(`Go ${run}`)))
  results.forEach(({ messages, text }, run) => {
    expect(text).toBe('Done.')
    expect(messages[0] && textOf(messages[0])).toBe(`Go ${run}`)
    expect(messages).toHaveLength(4)
    expect(JSON.stringify(messages)).not.toContain('isError')
  })
  expect(new Set(results.map(({ id }) => id)).size).toBe(20)
})
