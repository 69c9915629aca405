import { type Message, toolCall, toolResultsOf, validate } from 'interlingua'
import {
  Agent,
  type AgentResult,
  type ApprovalHandler,
  type Decisions,
  type PausedRun,
  MessageQueue,
  tool,
} from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { scripted } from '../../src/client/scripted-model.ts'
import { again } from '../law-assertions.ts'

const pathInput = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const

/** Tools of a disk, and a log of their work. */
function disk(): { readonly tools: ReturnType<typeof tool>[]; readonly done: string[] } {
  const done: string[] = []
  const act =
    (deed: string) =>
    ({ path }: { readonly path: string }) => {
      done.push(`${deed} ${path}`)
      return 'ok'
    }
  const tools = [
    tool<{ path: string }>({ name: 'read', input: pathInput, run: act('read') }),
    tool<{ path: string }>({ name: 'delete', input: pathInput, needsApproval: true, run: act('delete') }),
    tool<{ path: string }>({
      name: 'write',
      input: pathInput,
      needsApproval: ({ path }) => path.startsWith('/etc/'),
      run: act('write'),
    }),
    tool({ name: 'ask_user', description: 'Asks the user.' }),
  ]
  return { tools, done }
}

const call = (id: string, name: string, path = '/tmp/a'): ReturnType<typeof toolCall> =>
  toolCall({ id, name, ...(name !== 'ask_user' && { arguments: { path } }) })

const outcomes = ({ messages }: AgentResult): unknown[] =>
  messages
    .flatMap((message) => toolResultsOf(message))
    .map(({ callId, isError = false }) => [callId, isError])

describe('a call that needs approval', () => {
  test('is shown without residue and signature, and stays in the message with both', async () => {
    const signature = { vendor: 'google', value: 'token' }
    const signed = {
      ...toolCall({ id: 'a', name: 'delete', arguments: { path: '/tmp/a' }, signature }),
      extra: { gemini: { own: 1 } },
    }
    const shown: unknown[] = []
    const approve: ApprovalHandler = (asked) => void shown.push(asked)
    const agent = new Agent({ model: scripted([[signed]]), tools: disk().tools, approve })
    const { paused } = await agent.send('Clean up')
    const plain = { type: 'tool-call', id: 'a', name: 'delete', arguments: { path: '/tmp/a' } }
    expect([shown, paused?.pending]).toEqual([[plain], [{ call: plain, waitsFor: 'approval' }]])
    expect(paused?.message.content).toMatchObject([{ signature, extra: { gemini: { own: 1 } } }])
  })

  test('pauses the run after the other calls have run; the returned messages are valid', async () => {
    const { tools, done } = disk()
    const model = scripted([[call('a', 'delete'), call('b', 'read'), call('c', 'ask_user')], 'Done.'])
    const agent = new Agent({ model, tools })
    const first = await agent.send('Clean up')
    expect(first.finish).toEqual({ reason: 'approval' })
    expect(done).toEqual(['read /tmp/a'])
    expect(first.messages.map(({ role }) => role)).toEqual(['user'])
    expect(validate(first.messages)).toEqual([])
    expect(first.paused?.pending.map(({ call: { id }, waitsFor }) => [id, waitsFor])).toEqual([
      ['a', 'approval'],
      ['c', 'execution'],
    ])
    const paused = again(first.paused) as PausedRun
    expect(paused).toEqual(first.paused)
    const decisions = { a: 'approve', c: { output: 'Sure!' } } as const
    const second = await agent.resume(paused, decisions, { history: first.messages })
    expect(done).toEqual(['read /tmp/a', 'delete /tmp/a'])
    expect(second.text).toBe('Done.')
    expect(outcomes(second)).toEqual([
      ['a', false],
      ['b', false],
      ['c', false],
    ])
    expect(second.id).toBe(first.id)
    expect([first.steps, second.steps].map(({ length }) => length)).toEqual([1, 1])
    expect(validate([...first.messages, ...second.messages])).toEqual([])
  })

  test('is denied with a reason that is sent to the model', async () => {
    const { tools, done } = disk()
    const model = scripted([call('a', 'delete'), 'All right.'])
    const agent = new Agent({ model, tools })
    const { paused, messages } = await agent.send('Clean up')
    if (paused === undefined) return expect.fail('did not pause')
    const result = await agent.resume(
      again(paused) as PausedRun,
      { a: { deny: 'Keep it.' } },
      { history: messages },
    )
    expect(done).toEqual([])
    expect(outcomes(result)).toEqual([['a', true]])
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Keep it.')
  })

  test('stays pending while others are decided', async () => {
    const { tools, done } = disk()
    const agent = new Agent({
      model: scripted([[call('a', 'delete'), call('b', 'delete', '/b')], 'Done.']),
      tools,
    })
    const history: Message[] = []
    let result: AgentResult = await agent.send('Clean up')
    for (const id of ['b', 'a']) {
      history.push(...result.messages)
      if (result.paused === undefined) return expect.fail('did not pause')
      result = await agent.resume(result.paused, { [id]: 'approve' }, { history })
    }
    expect(done).toEqual(['delete /b', 'delete /tmp/a'])
    expect(outcomes(result)).toEqual([
      ['a', false],
      ['b', false],
    ])
  })

  test('is decided at once by an approval handler, and only if its input requires approval', async () => {
    const { tools, done } = disk()
    const asked: string[] = []
    const calls = [call('a', 'write', '/etc/passwd'), call('b', 'write', '/tmp/x'), call('c', 'delete')]
    const agent = new Agent({
      model: scripted([calls, 'Done.']),
      tools,
      approve: ({ id }) => {
        asked.push(id)
        return id === 'a' ? 'deny' : 'approve'
      },
    })
    const result = await agent.send('Go')
    expect(asked).toEqual(['a', 'c'])
    expect(done).toEqual(['write /tmp/x', 'delete /tmp/a'])
    expect(result.finish.reason).toBe('stop')
  })

  test('is not decided when its arguments are invalid', async () => {
    const { tools } = disk()
    const model = scripted([toolCall({ id: 'a', name: 'delete', arguments: {} }), 'Sorry.'])
    expect((await new Agent({ model, tools }).send('Go')).finish.reason).toBe('stop')
  })

  test('is executed by another model: a paused run may change its model', async () => {
    const { tools } = disk()
    const first = await new Agent({ model: scripted([call('a', 'delete')]), tools }).send('Go')
    if (first.paused === undefined) return expect.fail('did not pause')
    const other = new Agent({ model: scripted(['Done.'], { provider: 'other' }), tools })
    const { steps } = await other.resume(first.paused, { a: 'approve' }, { history: first.messages })
    expect(steps.map(({ provider }) => provider)).toEqual(['other'])
  })

  test('is resolved before messages that the user has queued meanwhile', async () => {
    const { tools } = disk()
    const agent = new Agent({ model: scripted([call('a', 'delete'), 'Done.']), tools })
    const first = await agent.send('Go')
    if (first.paused === undefined) return expect.fail('did not pause')
    const steering = new MessageQueue()
    steering.add('Hurry up!')
    const second = await agent.resume(
      first.paused,
      { a: 'approve' },
      { history: first.messages, messageQueue: steering },
    )
    expect(second.messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user', 'assistant'])
    expect(validate([...first.messages, ...second.messages])).toEqual([])
  })

  test('works in a stream and with typed output', async () => {
    const { tools } = disk()
    const model = scripted([call('a', 'delete'), '{"deleted":1}'])
    const output = z.object({ deleted: z.number() })
    const agent = new Agent({ model, tools })
    const { paused, messages } = await agent.sendFor(output, 'Go')
    if (paused === undefined) return expect.fail('did not pause')
    const stream = agent.resumeStream(paused, { a: 'approve' }, { history: messages, output })
    let text = ''
    for await (const chunk of stream) text += chunk.text
    expect(text).toBe('{"deleted":1}')
    expect((await stream.result).output).toEqual({ deleted: 1 })
  })
})

describe('a stored paused run', () => {
  async function paused(): Promise<{ agent: Agent; run: PausedRun }> {
    const agent = new Agent({ model: scripted([call('a', 'delete')]), tools: disk().tools })
    const { paused: run } = await agent.send('Go')
    return { agent, run: run ?? expect.fail('did not pause') }
  }

  test('is validated before it is resumed', async () => {
    const { agent, run } = await paused()
    for (const broken of [
      { ...run, version: 2 },
      { ...run, message: { role: 'user' } },
      { ...run, results: [{ type: 'text', text: 'x' }] },
      { ...run, more: true },
      null,
    ]) {
      const resumed = agent.resume(broken as PausedRun, {})
      await expect(resumed).rejects.toMatchObject({ name: 'InterlinguaError' })
    }
  })

  test.each(['aprove', 'yes', true, null, 5, {}, { deny: 1 }])(
    'is not run by an invalid decision: %o',
    async (word) => {
      const { agent, run } = await paused()
      const decisions = { a: word } as unknown as Decisions
      await expect(agent.resume(run, decisions)).rejects.toMatchObject({ code: 'invalid-value' })
    },
  )

  test('the return value of an approval handler is validated, too', async () => {
    const { tools, done } = disk()
    const approve = (() => 'yes') as unknown as ApprovalHandler
    const sent = new Agent({ model: scripted([call('a', 'delete')]), tools, approve }).send('Go')
    await expect(sent).rejects.toMatchObject({ code: 'invalid-value' })
    expect(done).toEqual([])
  })

  test('is not resumed twice: a history that contains its message is rejected, and nothing runs', async () => {
    const { tools, done } = disk()
    const agent = new Agent({ model: scripted([call('a', 'delete'), 'Done.']), tools })
    const first = await agent.send('Go')
    const run = first.paused ?? expect.fail('did not pause')
    const second = await agent.resume(run, { a: 'approve' }, { history: first.messages })
    for (const more of [[run.message], second.messages]) {
      const resumed = agent.resume(run, { a: 'approve' }, { history: [...first.messages, ...more] })
      await expect(resumed).rejects.toMatchObject({ code: 'conflict' })
    }
    expect(done).toEqual(['delete /tmp/a'])
  })

  test('that is aborted before it resumes returns complete messages, with a result for every call', async () => {
    const { tools, done } = disk()
    const agent = new Agent({ model: scripted([[call('a', 'delete'), call('b', 'read')]]), tools })
    const first = await agent.send('Go')
    const run = { ...(first.paused ?? expect.fail('did not pause')), elapsedMs: 1_000 }
    for (const [reason, options] of [
      ['aborted', { signal: AbortSignal.abort() }],
      ['max-time', { limits: { timeMs: 500 } }],
    ] as const) {
      const result = await agent.resume(run, { a: 'approve' }, { history: first.messages, ...options })
      expect(result.finish).toEqual({ reason })
      expect(outcomes(result)).toEqual([
        ['a', true],
        ['b', false],
      ])
    }
    expect(done).toEqual(['read /tmp/a'])
  })

  test('cannot claim that an ordinary tool was approved', async () => {
    const { agent, run } = await paused()
    const nested = { a: { run, messages: [], pauseCount: 1 } }
    expect((await agent.resume({ ...run, nestedRuns: nested }, {})).finish).toEqual({ reason: 'approval' })
  })

  test.each([5n, new Map([[1, 2]]), () => 1])('rejects output that is not JSON: %o', async (output) => {
    const { agent, run } = await paused()
    await expect(agent.resume(run, { a: { output } })).rejects.toMatchObject({ code: 'not-json' })
  })

  test('needs an object of decisions, even an empty one', async () => {
    const { agent, run } = await paused()
    const resumed = agent.resume(run, undefined as unknown as Decisions)
    await expect(resumed).rejects.toMatchObject({ code: 'invalid-type' })
  })

  test('rejects decisions about unknown calls', async () => {
    const { agent, run } = await paused()
    await expect(agent.resume(run, { b: 'approve' })).rejects.toMatchObject({ code: 'unknown-id' })
  })
})
