import { toolCall } from 'interlingua'
import { Agent, type PausedRun, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'

const ran: unknown[] = []
const pay = tool({ name: 'pay', needsApproval: true, run: (input) => void ran.push(input) })
const call = toolCall({ id: 'c1', name: 'pay', arguments: { amount: 1, to: 'Ada' } })

function agentOf(nested: boolean): Agent {
  const model = scripted(({ messages }) => ([...messages].at(-1)?.role === 'tool' ? 'Paid.' : call))
  const inner = new Agent({ model, tools: [pay] })
  if (!nested) return inner
  const outer = scripted(({ messages }) =>
    [...messages].at(-1)?.role === 'tool'
      ? 'Done.'
      : toolCall({ id: 'a', name: 'shopper', arguments: { prompt: 'Pay' } }),
  )
  return new Agent({ model: outer, tools: [inner.asTool({ name: 'shopper', description: 'Pays.' })] })
}

type Draft = { -readonly [K in keyof PausedRun]: PausedRun[K] }

/** Changes of the calls that run, of those that are shown, and of the runs that they belong to. */
const forgeries: Readonly<Record<string, (paused: PausedRun) => PausedRun>> = {
  'other arguments are shown': (paused) => replaceText(paused, 'pending', '"amount":1', '"amount":2'),
  'other arguments run': (paused) => replaceText(paused, 'message', '"amount":1', '"amount":1000'),
  'another name is shown': (paused) => replaceText(paused, 'pending', '"name":"pay"', '"name":"greet"'),
  'another id is shown': (paused) => replaceText(paused, 'pending', '"id":"c1"', '"id":"c2"'),
}

function replaceText(paused: PausedRun, field: keyof PausedRun, from: string, to: string): PausedRun {
  const text = JSON.stringify(paused[field])
  expect(text).toContain(from)
  const draft: Draft = { ...paused, [field]: JSON.parse(text.replace(from, to)) as never }
  return draft
}

describe('a paused run that was changed', () => {
  test.each(Object.entries(forgeries))('is refused before anything runs: %s', async (_name, forge) => {
    const agent = agentOf(false)
    const { paused } = await agent.send('Pay')
    const forged = forge(paused ?? expect.fail('is not paused'))
    const id = forged.pending[0]?.call.id ?? ''
    await expect(agent.resume(forged, { [id]: 'approve' })).rejects.toMatchObject({
      code: 'invalid-value',
      path: '/pending/0/call',
    })
    expect(ran).toEqual([])
  })

  test.each([
    [
      'the shown call',
      (text: string) => text.replace(/"pending":.*?"amount":1/s, (part) => part.replace(/1$/, '2')),
    ],
    [
      'the call that runs',
      (text: string) => text.replaceAll('"amount":1', '"amount":2').replace('"amount":2', '"amount":1'),
    ],
  ])('is refused in a nested run: %s', async (_name, forge) => {
    const agent = agentOf(true)
    const { paused, messages } = await agent.send('Go')
    const forged = JSON.parse(forge(JSON.stringify(paused))) as PausedRun
    const resumed = agent.resume(forged, { 'a/c1': 'approve' }, { history: messages })
    await expect(resumed).rejects.toMatchObject({ code: 'invalid-value' })
    expect(ran).toEqual([])
  })

  test('is accepted unchanged, as JSON', async () => {
    for (const nested of [false, true]) {
      const agent = agentOf(nested)
      const { paused, messages } = await agent.send('Go')
      const stored = JSON.parse(JSON.stringify(paused)) as PausedRun
      await agent.resume(stored, { [nested ? 'a/c1' : 'c1']: 'approve' }, { history: messages })
    }
    expect(ran).toEqual([call.arguments, call.arguments])
  })
})
