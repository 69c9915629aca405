import { type Message, textOf, toolCall, toolResultsOf, validate } from 'interlingua'
import {
  Agent,
  type AgentResult,
  type AgentTool,
  type Decision,
  type PausedRun,
  tool,
} from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { scripted, type ScriptedModel } from '../../src/client/scripted-model.ts'
import { again } from '../law-assertions.ts'

const usage = { inputTokens: 6, outputTokens: 4, totalTokens: 10 }

/** A tool that needs approval, one that does not, and a log of their work. */
function disk(): { readonly tools: readonly AgentTool[]; readonly done: string[] } {
  const done: string[] = []
  const run = (
    _: unknown,
    { call }: { readonly call: { readonly id: string; readonly name: string } },
  ): string => {
    done.push(`${call.name} ${call.id}`)
    return `${call.name} done`
  }
  return { tools: [tool({ name: 'delete', needsApproval: true, run }), tool({ name: 'read', run })], done }
}

const ask = (id: string): ReturnType<typeof toolCall> =>
  toolCall({ id, name: 'cleaner', arguments: { prompt: `Clean ${id}` } })

/** Calls both tools, whatever id the outer call has, then reports. */
const cleaning = (): ScriptedModel =>
  scripted(
    ({ messages }) => {
      const results = [...messages].flatMap((message) => toolResultsOf(message))
      if (results.length > 0) return `Cleaned: ${results.map((each) => textOf(each.content)).join(', ')}`
      return [toolCall({ id: 'x', name: 'delete' }), toolCall({ id: 'y', name: 'read' })]
    },
    { usage },
  )

/** An agent with a nested agent, created anew as another process would. */
function office(
  tools: readonly AgentTool[],
  answers: () => ReturnType<typeof toolCall>[] | string,
  deep = false,
): Agent {
  const cleaner = new Agent({ model: cleaning(), tools }).asTool({ name: 'cleaner', description: 'Cleans.' })
  const middle = new Agent({
    model: scripted(({ messages }) => ([...messages].at(-1)?.role === 'tool' ? 'Clean.' : ask('m')), {
      usage,
    }),
    tools: [cleaner],
  })
  const helper = deep ? middle.asTool({ name: 'cleaner', description: 'Has it cleaned.' }) : cleaner
  return new Agent({ model: scripted(answers, { usage }), tools: [helper] })
}

const resultsOf = (messages: readonly Message[]): unknown[] =>
  messages
    .flatMap((message) => toolResultsOf(message))
    .map(({ callId, content }) => [callId, textOf(content)])

/** A run with all its pauses, each stored as JSON and resumed by new agents. */
async function play(
  decide: (id: string) => Decision | undefined,
  { calls, deep = false }: { readonly calls: readonly string[]; readonly deep?: boolean },
): Promise<{
  readonly done: string[]
  readonly asked: string[][]
  readonly history: Message[]
  readonly steps: number
}> {
  const { tools, done } = disk()
  let callCount = 0
  const next = (): Agent => office(tools, () => (callCount++ === 0 ? calls.map(ask) : 'All clean.'), deep)
  const history: Message[] = []
  const asked: string[][] = []
  let result: AgentResult = await next().send('Clean up')
  let steps = 0
  for (;;) {
    history.push(...result.messages)
    steps += result.steps.length
    expect(validate(history)).toEqual([])
    if (result.paused === undefined) return { done, asked, history, steps }
    const paused = again(result.paused) as PausedRun
    const ids = paused.pending.map(({ call }) => call.id)
    asked.push(ids)
    const made = ids.flatMap((id): [string, Decision][] => {
      const decision = decide(id)
      return decision === undefined ? [] : [[id, decision]]
    })
    result = await next().resume(paused, Object.fromEntries(made), { history: again(history) as Message[] })
  }
}

describe('an agent as a tool that needs an approval', () => {
  test('pauses the run of the outer agent, and resumes where it was', async () => {
    const { done, asked, history, steps } = await play(() => 'approve', { calls: ['a'] })
    expect(asked).toEqual([['a/x']])
    expect(done).toEqual(['read y', 'delete x'])
    expect(resultsOf(history)).toEqual([['a', 'Cleaned: delete done, read done']])
    expect(steps).toBe(4)
  })

  test('several at once, with distinct ids, decided one after the other', async () => {
    const order = ['b/x', 'a/x']
    let turn = 0
    const { done, asked, history } = await play(
      (id) => (id === order[turn] && ++turn ? 'approve' : undefined),
      {
        calls: ['a', 'b'],
      },
    )
    expect(asked).toEqual([['a/x', 'b/x'], ['a/x']])
    expect(done.toSorted()).toEqual(['delete x', 'delete x', 'read y', 'read y'])
    expect(resultsOf(history).map((each) => (each as string[])[0])).toEqual(['a', 'b'])
  })

  test('at any depth', async () => {
    const { done, asked, steps } = await play(() => 'approve', { calls: ['a'], deep: true })
    expect(asked).toEqual([['a/m/x']])
    expect(done).toEqual(['read y', 'delete x'])
    expect(steps).toBe(6)
  })

  test('gets the reason of a denial, or the output of a decision', async () => {
    const refused = await play(() => ({ deny: 'Keep it.' }), { calls: ['a'] })
    expect(resultsOf(refused.history)).toEqual([['a', 'Cleaned: Keep it., read done']])
    const decided = await play(() => ({ output: 'by hand' }), { calls: ['a'] })
    expect(resultsOf(decided.history)).toEqual([['a', 'Cleaned: by hand, read done']])
    expect([refused.done, decided.done]).toEqual([['read y'], ['read y']])
  })

  test('reports the tool call that runs it', async () => {
    const { tools } = disk()
    const { paused } = await office(tools, () => [ask('a')]).send('Go')
    expect(paused?.pending).toMatchObject([
      { call: { id: 'a/x', name: 'delete' }, waitsFor: 'approval', parentCallId: 'a' },
    ])
  })

  test('an id that only looks like a nested one is not mistaken for it', async () => {
    const { tools, done } = disk()
    const [guarded] = tools
    const cleaner = new Agent({ model: cleaning(), tools }).asTool({
      name: 'cleaner',
      description: 'Cleans.',
    })
    const answers = [[ask('a'), toolCall({ id: 'a/x', name: 'delete' })], 'Done.']
    let callCount = 0
    const model = scripted(() => answers[callCount++] ?? '')
    const agent = new Agent({ model, tools: [cleaner, ...(guarded ? [guarded] : [])] })
    const first = await agent.send('Go')
    expect(first.paused?.pending.map(({ call, parentCallId: inside }) => [call.id, inside])).toEqual([
      ['a/x', undefined],
    ])
    const second = await agent.resume(
      first.paused ?? expect.fail('did not pause'),
      { 'a/x': 'approve' },
      { history: first.messages },
    )
    expect(done).toEqual(['read y', 'delete a/x'])
    expect(second.paused?.pending.map(({ call, parentCallId: inside }) => [call.id, inside])).toEqual([
      ['a/x', 'a'],
    ])
  })

  test('is aborted with the run', async () => {
    const { tools, done } = disk()
    const agent = office(tools, () => [ask('a')])
    const controller = new AbortController()
    const first = await agent.send('Go')
    const resumed = agent.resume(
      first.paused ?? expect.fail('did not pause'),
      {},
      {
        history: first.messages,
        signal: controller.signal,
        approve: () => {
          controller.abort()
          return new Promise(() => {})
        },
      },
    )
    const { finish, messages } = await resumed
    expect(finish).toEqual({ reason: 'aborted' })
    expect(validate([...first.messages, ...messages])).toEqual([])
    expect(done).toEqual(['read y'])
  })

  test('is validated like any stored paused run', async () => {
    const { tools } = disk()
    const agent = office(tools, () => [ask('a')])
    const { paused } = await agent.send('Go')
    const broken = { ...paused, nestedRuns: { a: { ...paused?.nestedRuns?.['a'], run: { version: 2 } } } }
    await expect(agent.resume(broken as unknown as PausedRun, {})).rejects.toMatchObject({
      name: 'InterlinguaError',
    })
  })
})
