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

/** The behaviors of the tools of generated scripts. */
const DEEDS = ['answer', 'fail', 'report', 'wait'] as const

type Deed = (typeof DEEDS)[number]

/** One call of a generated script. */
interface ScriptedCall {
  readonly tool: 'work' | 'guarded' | 'outside' | 'stuck' | 'helper' | 'nobody'
  /** The arguments: valid, invalid, or not JSON. */
  readonly input: Deed | 'misfit' | 'broken'
  /** The decision of the caller, if one is needed. */
  readonly decision: 'approve' | 'deny' | 'output'
}

/** The responses of the model: calls with or without text before them; the last one is only text, or empty. */
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

/** The id of a call encodes its position, so that the decision about it depends on nothing else. */
const idOf = (round: number, place: number): string => `call_${round}_${place}`

/** The id of the call that a nested agent makes. */
const innerId = (id: string): string => `${id}_inside`

function partOf({ tool: name, input }: ScriptedCall, id: string): AssistantPart {
  if (input === 'broken') return toolCall({ id, name, arguments: '{"deed": ' })
  if (name === 'helper') return toolCall({ id, name, arguments: { prompt: input === 'misfit' ? 5 : id } })
  return toolCall({ id, name, arguments: { deed: input === 'misfit' ? 5 : input } })
}

/** Returns the responses of the model, one by one; after an empty response the model is called once more. */
export function answersOf({ rounds, last }: Script): (string | AssistantPart)[][] {
  const worked = rounds.map(({ says, calls }, round) => [
    ...(says === '' ? [] : [says]),
    ...calls.map((each, place) => partOf(each, idOf(round, place))),
  ])
  return [...worked, last === '' ? [] : [last], ...(last === '' ? [[]] : [])]
}

/** Returns the decision of the caller about each call. */
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

/** Tools that record their calls. */
export class Workshop {
  /** The number of executions of each call. */
  readonly runs: Map<string, number> = new Map()
  /** Called when a tool starts. */
  onStart: () => void = () => {}

  /** Created once for all calls. */
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

  /** The same tools and a nested agent with a call that needs approval; created anew for each run. */
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

/** Checks what must hold for the messages of every run. */
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

/** Returns messages without ids and timestamps: the part that two runs of one script have in common. */
export function contents(messages: readonly Message[]): unknown[] {
  return messages.map(({ role, content }) => ({ role, content }))
}
