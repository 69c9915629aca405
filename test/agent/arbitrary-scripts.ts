import fc from 'fast-check'
import {
  type AssistantPart,
  type Message,
  textOf,
  toolCall,
  toolCallsOf,
  toolResultsOf,
  validate,
} from 'interlingua'
import { Agent, type AgentTool, type Decision, tool } from 'interlingua/agent'
import { expect } from 'vitest'
import { scripted } from '../../src/client/scripted-model.ts'

/** What the tools of generated scripts do when they are called. */
const DEEDS = ['answer', 'fail', 'report', 'wait'] as const

type Deed = (typeof DEEDS)[number]

/** One call of a generated script. */
interface ScriptedCall {
  readonly tool: 'work' | 'guarded' | 'outside' | 'stuck' | 'helper' | 'nobody'
  /** What is passed: something that fits, does not fit, or is not JSON. */
  readonly input: Deed | 'misfit' | 'broken'
  /** What the caller decides about it, if it is asked. */
  readonly decision: 'approve' | 'deny' | 'output'
}

/** One answer of the model: calls, with text before them or not; the last one is text alone, or nothing at all. */
export interface Script {
  readonly rounds: readonly { readonly says: string; readonly calls: readonly ScriptedCall[] }[]
  readonly last: string
}

const call: fc.Arbitrary<ScriptedCall> = fc.record({
  tool: fc.constantFrom('work', 'work', 'guarded', 'outside', 'stuck', 'helper', 'nobody'),
  input: fc.constantFrom(...DEEDS, 'answer', 'misfit', 'broken'),
  decision: fc.constantFrom('approve', 'deny', 'output'),
})

export const scripts: fc.Arbitrary<Script> = fc.record({
  rounds: fc.array(
    fc.record({
      says: fc.constantFrom('', 'Let me see.'),
      calls: fc.array(call, { minLength: 1, maxLength: 5 }),
    }),
    { maxLength: 4 },
  ),
  last: fc.constantFrom('Done.', 'Done.', ''),
})

/** The id of a call says where it stands, so that what is done about it depends on nothing else. */
const idOf = (round: number, place: number): string => `call_${round}_${place}`

/** The id of the call that an agent makes inside of a call. */
const innerId = (id: string): string => `${id}_inside`

function partOf({ tool: name, input }: ScriptedCall, id: string): AssistantPart {
  if (input === 'broken') return toolCall({ id, name, arguments: '{"deed": ' })
  if (name === 'helper') return toolCall({ id, name, arguments: { prompt: input === 'misfit' ? 5 : id } })
  return toolCall({ id, name, arguments: { deed: input === 'misfit' ? 5 : input } })
}

/** What the model says, answer by answer; one who says nothing is asked once more. */
export function answersOf({ rounds, last }: Script): (string | AssistantPart)[][] {
  const worked = rounds.map(({ says, calls }, round) => [
    ...(says === '' ? [] : [says]),
    ...calls.map((each, place) => partOf(each, idOf(round, place))),
  ])
  return [...worked, last === '' ? [] : [last], ...(last === '' ? [[]] : [])]
}

/** What the caller decides about each call. */
export function decisionsOf({ rounds }: Script): Map<string, Decision> {
  const all = rounds.flatMap(({ calls }, round) =>
    calls.map(({ decision, tool: name }, place): [string, Decision] => {
      const id = name === 'helper' ? innerId(idOf(round, place)) : idOf(round, place)
      if (decision === 'deny') return [id, { deny: 'Not this time.' }]
      return [id, decision === 'output' || name === 'outside' ? { output: `of ${id}` } : 'approve']
    }),
  )
  return new Map(all)
}

interface Input {
  readonly deed: Deed
}

const input = {
  type: 'object',
  properties: { deed: { enum: [...DEEDS] } },
  required: ['deed'],
  additionalProperties: false,
} as const

/** Tools that take note of what they do. */
export class Workshop {
  /** How often each call was carried out. */
  readonly runs: Map<string, number> = new Map()
  /** Told whenever a tool starts. */
  onStart: () => void = () => {}

  /** Made once for all calls. */
  readonly tools: readonly AgentTool[] = [
    tool<Input>({ name: 'work', input, run: ({ deed }, { call: { id } }) => this.#do(deed, id), maxUses: 6 }),
    tool<Input>({
      name: 'guarded',
      input,
      run: ({ deed }, { call: { id } }) => this.#do(deed, id),
      needsApproval: true,
    }),
    tool({ name: 'stuck', input, run: (_, { call: { id } }) => this.#hang(id), timeoutMs: 1 }),
    tool({ name: 'outside', input }),
  ]

  /** The same with an agent among them, which has a call of its own approved; made anew for each run. */
  get withHelper(): readonly AgentTool[] {
    const model = scripted(({ messages }) => {
      const [asked, , results] = [...messages]
      if (results !== undefined) return `Helped: ${JSON.stringify(results.content)}`
      const id = innerId(asked === undefined ? '' : textOf(asked))
      return toolCall({ id, name: 'guarded', arguments: { deed: 'wait' } })
    })
    const helper = new Agent({ model, tools: this.tools })
    return [...this.tools, helper.asTool({ name: 'helper', description: 'Helps.' })]
  }

  #note(id: string): void {
    this.runs.set(id, (this.runs.get(id) ?? 0) + 1)
    this.onStart()
  }

  #hang(id: string): Promise<never> {
    this.#note(id)
    return new Promise(() => {})
  }

  #do(deed: Deed, id: string): unknown {
    this.#note(id)
    if (deed === 'fail') throw new Error(`${id} failed`)
    if (deed === 'wait') return new Promise((resolve) => setImmediate(resolve, { after: id }))
    if (deed === 'report') return report(id)
    return { done: id }
  }
}

async function* report(id: string): AsyncGenerator<string, string, undefined> {
  yield 'half'
  yield 'nearly all'
  return `all of ${id}`
}

/** What holds for the messages of every run, however it went. */
export function expectSound(messages: readonly Message[], workshop: Workshop): void {
  expect(validate(messages)).toEqual([])
  messages.forEach((message, at) => {
    const calls = toolCallsOf(message).map(({ id }) => id)
    if (calls.length === 0) return
    const results = messages[at + 1]
    expect(results && toolResultsOf(results).map(({ callId }) => callId)).toEqual(calls)
  })
  for (const [id, runs] of workshop.runs) expect(runs, `${id} was run ${runs} times`).toBe(1)
}

/** Messages without ids and times: what two runs of one script have in common. */
export function contents(messages: readonly Message[]): unknown[] {
  return messages.map(({ role, content }) => ({ role, content }))
}
