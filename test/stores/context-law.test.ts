import fc from 'fast-check'
import {
  assistant,
  type Message,
  system,
  textOf,
  toolCall,
  toolCallsOf,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { isSystemRole } from 'interlingua/parse'
import { Agent } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import {
  chainStrategies,
  type ContextStrategy,
  dropToolTraffic,
  estimateTokens,
  keepLast,
  summarize,
  tokenBudget,
} from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { pairCalls } from '../../src/canonical/check/call-pairing.ts'

const numRuns = process.env['SOAK'] ? 5_000 : 300

const callId = fc.constantFrom('a', 'b', 'c')
const text = fc.nat(40).map((length) => 'x'.repeat(length))

/** A conversation of any form: prompts between calls and results, repeated ids, orphans, and an open round at the end. */
const conversation: fc.Arbitrary<readonly Message[]> = fc.array(
  fc.oneof(
    text.map((words) => user(words)),
    text.map((words) => assistant(words)),
    text.map((words) => system(words)),
    fc.array(callId, { minLength: 1, maxLength: 2 }).map((ids) => assistant(ids.map(toCall))),
    fc.tuple(callId, text).map(([id, words]) => toolResults(toolResult(id, words))),
  ),
  { maxLength: 20 },
)

function toCall(id: string): ReturnType<typeof toolCall> {
  return toolCall({ id, name: 'look' })
}

/** A turn that is still open: a prompt and rounds of calls without a final answer. */
function openTurn(rounds: number, prompt = 'The task'): Message[] {
  const round = (index: number): Message[] => [
    assistant([toCall(`call_${index}`)]),
    toolResults(toolResult(`call_${index}`, `Result ${index}`)),
  ]
  return [user(prompt), ...Array.from({ length: rounds }, (_, index) => round(index)).flat()]
}

const writer = new Agent({ model: scripted(() => 'They spoke.') })
const countMessages = (messages: readonly Message[]): number =>
  messages.filter(({ role }) => !isSystemRole(role)).length
const countTokens = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + estimateTokens(message), 0)
const countNonSystemTokens = (messages: readonly Message[]): number =>
  countTokens(messages.filter(({ role }) => !isSystemRole(role)))

/** Every strategy with a limit: how it is created, and how it counts. */
const limited: Readonly<
  Record<string, readonly [(limit: number) => ContextStrategy, (messages: readonly Message[]) => number]>
> = {
  keepLast: [keepLast, countMessages],
  tokenBudget: [(tokens) => tokenBudget({ tokens }), countTokens],
  'summarize by messages': [
    (limit) => summarize({ agent: writer, maxMessages: limit, keepMessages: limit }),
    countMessages,
  ],
  'summarize by tokens': [
    (limit) => summarize({ agent: writer, maxTokens: limit, keepTokens: limit }),
    countNonSystemTokens,
  ],
}

const strategies: Readonly<Record<string, (limit: number) => ContextStrategy>> = {
  ...Object.fromEntries(Object.entries(limited).map(([name, [create]]) => [name, create])),
  dropToolTraffic: (limit) => dropToolTraffic({ turns: Math.max(limit, 1) }),
  chainStrategies: (limit) =>
    chainStrategies(
      summarize({ agent: writer, maxMessages: limit + 2, keepMessages: limit }),
      dropToolTraffic({ turns: 2 }),
      keepLast(limit),
    ),
}

const limit = fc.integer({ min: -1, max: 60 })

function lastUserMessage(messages: readonly Message[]): Message | undefined {
  return messages.findLast(({ role }) => role === 'user')
}

/** The calls and results that belong together, of which the selection contains only a part. */
function separated(messages: readonly Message[], selected: readonly Message[]): unknown[] {
  const parts = new Set<unknown>(selected.flatMap(({ content }) => content))
  return pairCalls(messages).results.filter(
    ({ call, value }) => call !== undefined && parts.has(call.value) !== parts.has(value),
  )
}

describe.each(Object.entries(strategies))('%s, for any conversation and limit', (_name, create) => {
  test('keeps the prompt being answered and separates no call from its results', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, limit, async (messages, max) => {
        const { messages: selected } = await create(max)(messages)
        const prompt = lastUserMessage(messages)
        if (prompt !== undefined) expect(lastUserMessage(selected)).toBe(prompt)
        expect(separated(messages, selected)).toEqual([])
      }),
      { numRuns },
    )
  })

  test('keeps the prompt and the open round of a growing turn, which starts with a user message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(6), fc.nat(8), limit, async (before, rounds, max) => {
        const earlier = Array.from({ length: before }, (_, turn) => [user(`Q${turn}`), assistant(`A${turn}`)])
        const all = [...earlier.flat(), ...openTurn(rounds)]
        const strategy = create(max)
        // The same strategy is called before each step of the turn, so that it reuses its summaries.
        for (let end = 1; end <= all.length; end++) {
          const messages = all.slice(0, end)
          const { messages: selected } = await strategy(messages)
          expect(selected).toContain(lastUserMessage(messages))
          expect(selected.at(-1)).toBe(messages.at(-1))
          expect(selected[0]?.role).toBe('user')
          expect(separated(messages, selected)).toEqual([])
        }
      }),
      { numRuns: Math.ceil(numRuns / 10) },
    )
  })
})

describe.each(Object.entries(limited))('%s', (_name, [create, count]) => {
  test('keeps nothing beyond the limit but the prompt, the last round and system messages', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, limit, async (messages, max) => {
        const { messages: selected } = await create(max)(messages)
        const sent = selected.filter((message) => messages.includes(message))
        if (count(sent) <= max) return
        // Whatever exceeds the limit is what a limit of nothing keeps.
        const { messages: minimum } = await create(-1)(messages)
        expect(sent).toEqual(minimum.filter((message) => messages.includes(message)))
      }),
      { numRuns },
    )
  })

  test('rejects a limit that is not a number', () => {
    for (const bad of [Number.NaN, '4' as never, undefined as never])
      expect(() => create(bad)).toThrow(expect.objectContaining({ code: 'invalid-type' }))
  })
})

test('dropToolTraffic rejects a number of turns that is not a positive integer', () => {
  for (const bad of [0, -1, 1.5, Number.NaN])
    expect(() => dropToolTraffic({ turns: bad })).toThrow(expect.objectContaining({ code: 'invalid-value' }))
})

describe('a turn of six tool rounds', () => {
  const texts = (messages: readonly Message[]): string[] =>
    messages.map((message) => textOf(message) || toolCallsOf(message)[0]?.id || '')

  test('keeps its task with keepLast(4)', async () => {
    const { messages, trimmed } = await keepLast(4)(openTurn(6))
    expect(texts(messages)).toEqual(['The task', 'call_5', 'Result 5'])
    expect(trimmed.flatMap(({ messages: ids }) => ids)).toHaveLength(10)
  })

  test('keeps its task after the summary, which is extended and later includes the task', async () => {
    const asked: string[] = []
    const model = scripted(({ messages }) => {
      asked.push(Array.from(messages, (message) => textOf(message)).join())
      return `Summary ${asked.length}`
    })
    const strategy = summarize({ agent: new Agent({ model }), maxMessages: 6, keepMessages: 3 })
    const turn = openTurn(6)
    const short = async (messages: readonly Message[]): Promise<string[]> =>
      texts((await strategy(messages)).messages).map((line) => line.replace(/^.*\n\n/s, ''))
    expect(await short(turn.slice(0, 7))).toEqual(['Summary 1', 'The task', 'call_2', 'Result 2'])
    const extended = ['Summary 1', 'The task', 'call_2', 'Result 2', 'call_3', 'Result 3']
    expect(await short(turn.slice(0, 9))).toEqual(extended)
    expect(await short(turn)).toEqual(['Summary 2', 'The task', 'call_5', 'Result 5'])
    expect(asked[0]).toContain('The task')
    const next = await short([...turn, assistant('Done.'), user('Thanks')])
    expect(next).toEqual(['Summary 2', 'call_5', 'Result 5', 'Done.', 'Thanks'])
  })
})
