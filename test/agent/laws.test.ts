import fc from 'fast-check'
import type { Message } from 'interlingua'
import { Agent, type AgentResult, type Decision, type PausedRun } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { scripted } from '../../src/client/scripted-model.ts'
import { RUNS } from '../arbitraries.ts'
import { again } from '../law-assertions.ts'
import { Recorder } from './recording-runner.ts'
import {
  answersOf,
  contents,
  decisionsOf,
  expectSound,
  type Script,
  scripts,
  Workshop,
} from './arbitrary-scripts.ts'

const rounds = RUNS / 10

async function holds<T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(arbitrary, law), { numRuns: rounds })
}

function agentFor(script: Script, workshop: Workshop): Agent {
  return new Agent({ model: scripted(answersOf(script)), tools: workshop.withHelper })
}

/** A run whose calls are decided while it is active. */
function straight(script: Script, workshop: Workshop): Promise<AgentResult> {
  const decisions = decisionsOf(script)
  return agentFor(script, workshop).send('Go', { approve: ({ id }) => decisions.get(id) })
}

describe('whatever the script', () => {
  test('the messages validate, every call has one result after it, and nothing runs twice', async () => {
    await holds(scripts, async (script) => {
      const workshop = new Workshop()
      const { messages, finish } = await straight(script, workshop)
      expectSound(messages, workshop)
      expect(finish.reason).toBe(script.last === '' ? 'no-answer' : 'stop')
    })
  })

  test('streaming returns the same messages', async () => {
    await holds(scripts, async (script) => {
      const decisions = decisionsOf(script)
      const workshop = new Workshop()
      const stream = agentFor(script, workshop).stream('Go', { approve: ({ id }) => decisions.get(id) })
      const emitted: Message[] = []
      for await (const chunk of stream) {
        emitted.push(...chunk.messages)
        if (chunk.messages.length > 0) expectSound(emitted, workshop)
      }
      expect(emitted).toEqual((await stream.result).messages)
      expect(contents(emitted)).toEqual(contents((await straight(script, new Workshop())).messages))
    })
  })

  test('a run that pauses and is resumed from JSON, each time by another agent, has the same result', async () => {
    await holds(fc.tuple(scripts, fc.boolean()), async ([script, oneByOne]) => {
      const workshop = new Workshop()
      const decisions = decisionsOf(script)
      const answers = answersOf(script)
      const history: Message[] = []
      let asked = 0
      const next = (): Agent =>
        new Agent({ model: scripted(() => answers[asked++] ?? []), tools: workshop.withHelper })
      let result: AgentResult = await next().send('Go')
      for (;;) {
        history.push(...result.messages)
        expectSound(history, workshop)
        if (result.paused === undefined) break
        const paused = again(result.paused) as PausedRun
        const waiting = oneByOne ? paused.pending.slice(0, 1) : paused.pending
        const made = Object.fromEntries(
          waiting.map(({ call: { id }, parentCallId: inside }) => [
            id,
            decisions.get(inside === undefined ? id : id.slice(inside.length + 1)) ?? 'approve',
          ]),
        )
        result = await next().resume(paused, made, { history: again(history) as Message[] })
      }
      expect(contents(history)).toEqual(contents((await straight(script, new Workshop())).messages))
    })
  })

  test('an abort at any moment returns what was complete, with a result for every call', async () => {
    const moments = fc.record({ kind: fc.constantFrom('tool', 'chunk'), at: fc.nat({ max: 12 }) })
    await holds(fc.tuple(scripts, moments, fc.boolean()), async ([script, { kind, at }, decided]) => {
      const decisions = decided ? decisionsOf(script) : new Map()
      const workshop = new Workshop()
      const controller = new AbortController()
      let passed = 0
      const pass = (): void => {
        if (passed++ === at) controller.abort()
      }
      if (kind === 'tool') workshop.onStart = pass
      const stream = agentFor(script, workshop).stream('Go', {
        signal: controller.signal,
        approve: ({ id }) => decisions.get(id),
      })
      const emitted: Message[] = []
      for await (const chunk of stream) {
        if (kind === 'chunk') pass()
        emitted.push(...chunk.messages)
      }
      const { messages, finish } = await stream.result
      expectSound(messages, workshop)
      expect(emitted).toEqual(messages)
      const ends = ['aborted', 'stop', 'no-answer', ...(decided ? [] : ['approval'])]
      expect(ends).toContain(finish.reason)
      if (passed > at && kind === 'tool') expect(finish.reason).toBe('aborted')
    })
  })

  test('a run that crashes before any of its steps and restarts with the recorded results has the same result', async () => {
    await holds(fc.tuple(scripts, fc.nat({ max: 15 })), async ([script, at]) => {
      const workshop = new Workshop()
      const decisions = decisionsOf(script)
      const answers = answersOf(script)
      let asked = 0
      const agent = new Agent({ model: scripted(() => answers[asked++] ?? []), tools: workshop.withHelper })
      const approve = ({ id }: { readonly id: string }): Decision | undefined => decisions.get(id)
      const first = new Recorder(new Map(), (_, begun) => begun === at)
      await agent.send('Go', { approve, runner: first }).catch((error: unknown) => {
        expect(error).toMatchObject({ message: expect.stringContaining('died before') })
      })
      const { messages } = await agent.send('Go', { approve, runner: new Recorder(first.log) })
      expectSound(messages, workshop)
      expect(contents(messages)).toEqual(contents((await straight(script, new Workshop())).messages))
    })
  })

  test('a step limit ends the run with that reason, or is not reached', async () => {
    await holds(fc.tuple(scripts, fc.integer({ min: 1, max: 5 })), async ([script, steps]) => {
      const decisions = decisionsOf(script)
      const workshop = new Workshop()
      const options = { limits: { steps }, approve: ({ id }: { id: string }) => decisions.get(id) }
      const result = await agentFor(script, workshop).send('Go', options)
      expectSound(result.messages, workshop)
      const own = result.steps.filter((step) => step.tool === undefined)
      expect(own.length).toBeLessThanOrEqual(steps)
      const wanted = script.rounds.length + (script.last === '' && script.rounds.length > 0 ? 2 : 1)
      expect(result.finish.reason === 'max-steps').toBe(wanted > steps)
    })
  })
})
