import { type Message, textOf, toolCall, toolResult, toolResultsOf, user, validate } from 'interlingua'
import { Agent, type AgentHooks, RunError, MessageQueue, tool } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { scripted } from '../../src/client/scripted-model.ts'

const work = tool({ name: 'work', run: () => 'done' })
const call = toolCall({ id: 'call_1', name: 'work' })

/** Hooks that record their calls. */
function noting(log: string[]): AgentHooks {
  return {
    beforeModel: ({ messages }) => void log.push(`beforeModel ${[...messages].length}`),
    afterModel: ({ message }) => void log.push(`afterModel ${message.content.length}`),
    beforeTool: ({ id }) => void log.push(`beforeTool ${id}`),
    afterTool: ({ callId }) => void log.push(`afterTool ${callId}`),
    onMessage: ({ role }) => void log.push(`onMessage ${role}`),
    onStep: ({ messages, shouldContinue }) => void log.push(`onStep ${messages.length} ${shouldContinue}`),
    onEnd: ({ finish }) => void log.push(`onEnd ${finish.reason}`),
  }
}

describe('hooks', () => {
  test('are called in order: for an assistant message before its tools run', async () => {
    const log: string[] = []
    const tools = [tool({ name: 'work', run: () => void log.push('the tool') })]
    await new Agent({ model: scripted([call, 'Done.']), tools, hooks: noting(log) }).send('Go')
    expect(log).toEqual([
      'onMessage user',
      'beforeModel 1',
      'afterModel 1',
      'onMessage assistant',
      'beforeTool call_1',
      'the tool',
      'afterTool call_1',
      'onMessage tool',
      'onStep 2 true',
      'beforeModel 3',
      'afterModel 1',
      'onMessage assistant',
      'onStep 1 false',
      'onEnd stop',
    ])
  })

  test('of the agent are called before those of the run, and each is awaited', async () => {
    const log: string[] = []
    const slow = (name: string): AgentHooks => ({
      onMessage: async ({ role }) => {
        await new Promise(setImmediate)
        log.push(`${name} ${role}`)
      },
    })
    await new Agent({ model: scripted(['Hi.']), hooks: slow('agent') }).send('Go', { hooks: slow('run') })
    expect(log).toEqual(['agent user', 'run user', 'agent assistant', 'run assistant'])
  })

  test('may return another request, another result, or a decision', async () => {
    const model = scripted([[call, toolCall({ id: 'call_2', name: 'work' })], 'Done.'])
    const hooks: AgentHooks = {
      beforeModel: (request) => ({ ...request, temperature: 0.5 }),
      beforeTool: ({ id }) => (id === 'call_2' ? { deny: 'Not now.' } : undefined),
      afterTool: (result, made) => (result.isError ? undefined : toolResult(made, 'better')),
    }
    const { messages } = await new Agent({ model, tools: [work], hooks }).send('Go')
    expect(model.calls.map(({ sentRequest }) => sentRequest.temperature)).toEqual([0.5, 0.5])
    const results = messages.flatMap((message) => toolResultsOf(message))
    expect(results.map((result) => textOf(result))).toEqual(['better', 'Not now.'])
  })

  test('a result that a hook returns always belongs to its call', async () => {
    const hooks: AgentHooks = { afterTool: () => toolResult('another', 'x') }
    const { messages } = await new Agent({ model: scripted([call, 'Done.']), tools: [work], hooks }).send(
      'Go',
    )
    expect(validate(messages)).toEqual([])
  })

  test.each([
    'beforeModel',
    'afterModel',
    'beforeTool',
    'afterTool',
    'onMessage',
    'onStep',
    'onEnd',
  ] as const)(
    'a hook that throws ends the run with its error, and completed work is kept: %s',
    async (name) => {
      const error = new Error('stop here')
      let times = 0
      const hooks: AgentHooks = {
        [name]: () => {
          if (name === 'onEnd' || name.endsWith('Tool') || times++ === 1) throw error
        },
      }
      const run = new Agent({ model: scripted([call, 'Done.']), tools: [work], hooks }).send('Go')
      const thrown: unknown = await run.catch((reason: unknown) => reason)
      if (!(thrown instanceof RunError)) return expect.fail('no error')
      expect(thrown.cause).toBe(error)
      expect(thrown.code).toBe('run-failed')
      expect(validate(thrown.partial.messages)).toEqual([])
    },
  )
})

describe('steering', () => {
  const roles = (messages: readonly Message[]): string[] => messages.map(({ role }) => role)

  test('a message queued while tools run is sent with the next step', async () => {
    const steering = new MessageQueue()
    const tools = [tool({ name: 'work', run: () => steering.add('In Celsius, please.') })]
    const model = scripted([call, 'Done.'])
    const { messages } = await new Agent({ model, tools }).send('Go', { messageQueue: steering })
    expect(roles(messages)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
    expect(validate(messages)).toEqual([])
    expect(steering.pending).toEqual([])
  })

  test('a run that was about to end continues', async () => {
    const stream = new Agent({ model: scripted(['First.', 'Second.']) }).stream('Go')
    let hasQueued = false
    for await (const { text } of stream) {
      if (text !== '' && !hasQueued) {
        hasQueued = true
        stream.enqueueMessage(user('And then?'))
      }
    }
    const result = await stream.result
    expect(result.messages.map((message) => textOf(message))).toEqual([
      'Go',
      'First.',
      'And then?',
      'Second.',
    ])
    expect(result.text).toBe('Second.')
  })

  test('the outcome is not lost when a limit prevents the run from continuing', async () => {
    const steering = new MessageQueue()
    const model = scripted(() => {
      steering.add('One more thing.')
      return '{"celsius":4}'
    })
    const agent = new Agent({ model, limits: { steps: 1 } })
    const output = { type: 'object', properties: { celsius: { type: 'number' } } } as const
    const result = await agent.send('Go', { messageQueue: steering, output })
    expect([result.output, result.finish.reason]).toEqual([{ celsius: 4 }, 'stop'])
  })

  test('messages that were not sent stay in the queue', async () => {
    const steering = new MessageQueue()
    const tools = [tool({ name: 'work', run: () => steering.add('Wait!') })]
    const agent = new Agent({ model: scripted([call]), tools, limits: { steps: 1 } })
    await agent.send('Go', { messageQueue: steering })
    expect(steering.pending.map((message) => textOf(message))).toEqual(['Wait!'])
  })
})
