import fc from 'fast-check'
import { type Message, toolCall, validate } from 'interlingua'
import { Agent, type AgentResult, OutputError, type PausedRun, tool } from 'interlingua/agent'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { scripted } from '../../../src/client/scripted-model.ts'
import { RUNS } from '../../arbitraries.ts'
import { again } from '../../law-assertions.ts'
import { contents } from '../arbitrary-scripts.ts'

const output = z.object({ celsius: z.number() })

/** The capabilities of a model and the way it returns its output. */
const modes = {
  native: { can: {}, gives: (value: object) => JSON.stringify(value) },
  phases: { can: { supportsOutputWithTools: false }, gives: (value: object) => JSON.stringify(value) },
  tool: {
    can: { supportsOutputSchema: false },
    gives: (value: object) => toolCall({ name: 'return_result', arguments: { ...value } }),
  },
} as const

interface Plan {
  readonly mode: keyof typeof modes
  /** The number of tool rounds before the output, and whether each needs approval. */
  readonly rounds: readonly boolean[]
  /** The number of invalid outputs before a valid one. */
  readonly failures: number
  readonly streamed: boolean
}

const plans: fc.Arbitrary<Plan> = fc.record({
  mode: fc.constantFrom('native', 'phases', 'tool'),
  rounds: fc.array(fc.boolean(), { maxLength: 3 }),
  failures: fc.nat({ max: 3 }),
  streamed: fc.boolean(),
})

const tools = [
  tool({ name: 'free', run: () => 'done' }),
  tool({ name: 'guarded', needsApproval: true, run: () => 'done' }),
]

/** The responses of the model. */
function answersOf({ mode, rounds, failures }: Plan): unknown[] {
  const { gives } = modes[mode]
  return [
    ...rounds.map((guarded, at) => toolCall({ id: `call_${at}`, name: guarded ? 'guarded' : 'free' })),
    ...(mode === 'phases' ? ['It is four degrees.'] : []),
    ...Array.from({ length: failures }, () => gives({ celsius: 'four' })),
    gives({ celsius: 4 }),
  ]
}

/** A run with all its pauses, each stored as JSON; or an error and the partial result. */
async function play(
  plan: Plan,
  pausing: boolean,
): Promise<{ history: Message[]; result: AgentResult | undefined }> {
  const answers = answersOf(plan)
  let asked = 0
  const model = scripted(() => answers[asked++] as string, { capabilities: modes[plan.mode].can })
  const agent = new Agent({ model, tools, ...(!pausing && { approve: () => 'approve' as const }) })
  const history: Message[] = []
  try {
    let result: AgentResult = await (plan.streamed
      ? agent.stream('Go', { output }).result
      : agent.send('Go', { output }))
    for (;;) {
      history.push(...result.messages)
      expect(validate(history)).toEqual([])
      if (result.paused === undefined) return { history, result }
      const paused = again(result.paused) as PausedRun
      const decisions = Object.fromEntries(paused.pending.map(({ call }) => [call.id, 'approve' as const]))
      result = await agent.resume(paused, decisions, { history: again(history) as Message[], output })
    }
  } catch (error) {
    if (!(error instanceof OutputError)) throw error
    history.push(...error.partial.messages)
    return { history, result: undefined }
  }
}

test('typed output is returned, or fails after its retries, in every mode, paused and streamed', async () => {
  const law = fc.asyncProperty(plans, async (plan) => {
    const straight = await play(plan, false)
    const paused = await play(plan, true)
    expect(straight.result?.output).toEqual(plan.failures <= 2 ? { celsius: 4 } : undefined)
    expect(paused.result?.output).toEqual(straight.result?.output)
    expect(validate(straight.history)).toEqual([])
    expect(contents(paused.history).map(withoutIds)).toEqual(contents(straight.history).map(withoutIds))
  })
  await fc.assert(law, { numRuns: Math.ceil(RUNS / 10) })
})

/** Calls without an id in the script get a new one in each run. */
function withoutIds(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message).replaceAll(/call_[0-9a-f]{24}/g, 'call'))
}
