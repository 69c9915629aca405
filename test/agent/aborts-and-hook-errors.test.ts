import { toolCall, toolResultsOf, validate } from 'interlingua'
import {
  Agent,
  type AgentHooks,
  type AgentOptions,
  type AgentResult,
  RunError,
  tool,
} from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { scripted } from '../../src/client/scripted-model.ts'

const call = toolCall({ id: 'a', name: 'work' })
const work = tool({ name: 'work', run: () => 'done' })

/** Returns the partial result of a run that fails. */
async function partialOf(running: Promise<AgentResult>): Promise<AgentResult> {
  const error: unknown = await running.catch((thrown: unknown) => thrown)
  return error instanceof RunError ? error.partial : expect.fail('did not fail')
}

describe('an abort does not wait for hooks, approvals or schemas', () => {
  /** A function that never settles and aborts the run when it is called. */
  function hanging(): { readonly signal: AbortSignal; readonly hang: () => Promise<never> } {
    const controller = new AbortController()
    const hang = (): Promise<never> => {
      controller.abort()
      return new Promise(() => {})
    }
    return { signal: controller.signal, hang }
  }

  test.each<[string, (hang: () => Promise<never>) => Partial<AgentOptions>]>([
    ['beforeModel', (hang) => ({ hooks: { beforeModel: hang } })],
    ['beforeTool', (hang) => ({ hooks: { beforeTool: hang } })],
    ['approval', (hang) => ({ tools: [tool({ name: 'work', needsApproval: hang, run: () => 'done' })] })],
    [
      'approve',
      (hang) => ({ tools: [tool({ name: 'work', needsApproval: true, run: () => 'done' })], approve: hang }),
    ],
    [
      'the schema of a tool',
      (hang) => ({ tools: [tool({ name: 'work', input: z.object({}).refine(hang), run: () => 1 })] }),
    ],
    ['stopWhen', (hang) => ({ stopWhen: hang })],
  ])('%s', async (_, optionsFor) => {
    const { signal, hang } = hanging()
    const agent = new Agent({ model: scripted([call, 'Done.']), tools: [work], ...optionsFor(hang) })
    const { finish, messages } = await agent.send('Go', { signal })
    expect(finish).toEqual({ reason: 'aborted' })
    expect(validate(messages)).toEqual([])
  })

  test.each([{}, { supportsOutputSchema: false }])('the schema of the output: %o', async (capabilities) => {
    const { signal, hang } = hanging()
    const reply = 'supportsOutputSchema' in capabilities ? toolCall({ name: 'return_result' }) : '{}'
    const agent = new Agent({ model: scripted([reply], { capabilities }) })
    const { finish, messages, output } = await agent.sendFor(z.object({}).refine(hang), 'Go', { signal })
    expect([finish, output]).toEqual([{ reason: 'aborted' }, undefined])
    expect(messages.map(({ role }) => role).slice(0, 2)).toEqual(['user', 'assistant'])
    expect(validate(messages)).toEqual([])
  })
})

describe('a hook that throws ends the run and undoes nothing', () => {
  const fail = (): never => expect.fail('broken')

  test.each<[keyof AgentHooks, readonly string[], boolean[]]>([
    ['beforeModel', ['user'], []],
    ['afterModel', ['user', 'assistant', 'tool'], [true]],
    ['beforeTool', ['user', 'assistant', 'tool'], [true]],
    ['afterTool', ['user', 'assistant', 'tool'], [false]],
    ['onMessage', ['user'], []],
    ['onStep', ['user', 'assistant', 'tool'], [false]],
    ['onEnd', ['user', 'assistant', 'tool', 'assistant'], [false]],
  ])('%s', async (hook, roles, failed) => {
    const agent = new Agent({ model: scripted([call, 'Done.']), tools: [work], hooks: { [hook]: fail } })
    for (const running of [
      agent.send('Go'),
      agent.with({ model: scripted([call, 'Done.']) }).stream('Go').result,
    ]) {
      const { messages } = await partialOf(running)
      expect(messages.map(({ role }) => role)).toEqual(roles)
      const results = messages.flatMap((message) => toolResultsOf(message))
      expect(results.map(({ isError = false }) => isError)).toEqual(failed)
      expect(validate(messages)).toEqual([])
    }
  })
})

test.each([5, {}, { type: 'tool-result' }, { type: 'text', text: 'x' }])(
  'an afterTool that returns no tool result ends the run, and the original result stays: %o',
  async (given) => {
    const hooks = { afterTool: () => given } as unknown as AgentHooks
    const { messages } = await partialOf(
      new Agent({ model: scripted([call]), tools: [work], hooks }).send('Go'),
    )
    expect(messages.flatMap((message) => toolResultsOf(message))).toMatchObject([
      { content: [{ text: 'done' }] },
    ])
    expect(validate(messages)).toEqual([])
  },
)

test('an orchestrator that leaves calls without results still produces a valid history', async () => {
  const agent = new Agent({
    model: scripted([call, 'Done.']),
    tools: [work],
    orchestrator: {
      name: 'forgetful',
      step: async (run) => ({ messages: [(await run.callModel()).message], shouldContinue: false }),
    },
  })
  const { messages } = await agent.send('Go')
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  expect(validate(messages)).toEqual([])
})

test('the cost of an interrupted response is counted', async () => {
  const usage = { inputTokens: 6, outputTokens: 4, totalTokens: 10 }
  const events = [
    { type: 'start' },
    { type: 'usage', usage },
    { type: 'text-delta', index: 0, text: 'Once upon' },
  ] as const
  const model = scripted([
    { reply: call, usage },
    { reply: { events }, breakAfterEvents: 3, error: new Error('cut') },
  ])
  const partial = await partialOf(new Agent({ model, tools: [work] }).stream('Go').result)
  expect([partial.text, partial.usage, partial.steps.length]).toEqual([
    'Once upon',
    { inputTokens: 12, outputTokens: 8, totalTokens: 20 },
    2,
  ])
})
