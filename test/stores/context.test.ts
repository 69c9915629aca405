import fc from 'fast-check'
import {
  assistant,
  type Message,
  reasoning,
  system,
  textOf,
  toolCall,
  toolCallsOf,
  toolResult,
  toolResults,
  toolResultsOf,
  user,
  validate,
} from 'interlingua'
import { isSystemRole } from 'interlingua/parse'
import { Agent } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import {
  type ContextStrategy,
  dropToolTraffic,
  estimateTokens,
  chainStrategies,
  keepLast,
  summarize,
  tokenBudget,
} from 'interlingua/stores'
import { describe, expect, test } from 'vitest'

/** Realistic conversations: turns with and without tools, system messages anywhere, usage on some messages. */
const conversation: fc.Arbitrary<readonly Message[]> = fc
  .array(
    fc.record({
      tools: fc.nat(2),
      rounds: fc.nat(2),
      note: fc.boolean(),
      words: fc.nat(30),
      usage: fc.option(fc.nat(5_000), { nil: undefined }),
    }),
    { maxLength: 8 },
  )
  .map((turns) =>
    turns.flatMap(({ tools, rounds, note, words, usage }, turn): Message[] => {
      const text = 'word '.repeat(words)
      const stated =
        usage === undefined
          ? {}
          : { usage: { inputTokens: usage, outputTokens: words, totalTokens: usage + words } }
      const traffic = Array.from({ length: tools === 0 ? 0 : rounds }, (_, round): Message[] => {
        const calls = Array.from({ length: tools }, (__, index) =>
          toolCall({ id: `call_${turn}_${round}_${index}`, name: 'look' }),
        )
        const results = calls.map(({ id }) => toolResult(id, text))
        return [assistant([reasoning('Hm.'), 'I look.', ...calls], stated), toolResults(results)]
      })
      return [
        ...(note ? [system(`Note ${turn}`)] : []),
        user(`Question ${turn}: ${text}`),
        ...traffic.flat(),
        assistant(`Answer ${turn}`, stated),
      ]
    }),
  )

const writer = new Agent({ model: scripted(() => 'They spoke.') })

const strategies: Readonly<Record<string, () => ContextStrategy>> = {
  'keepLast(1)': () => keepLast(1),
  'keepLast(5)': () => keepLast(5),
  tokenBudget: () => tokenBudget({ tokens: 100 }),
  dropToolTraffic: () => dropToolTraffic(),
  summarize: () => summarize({ agent: writer, maxMessages: 6, keepMessages: 3 }),
  chainStrategies: () => chainStrategies(dropToolTraffic({ turns: 2 }), keepLast(4)),
}

const ids = (messages: Iterable<Message>): string[] => Array.from(messages, ({ id }) => id)

describe.each(Object.entries(strategies))('%s', (_name, make) => {
  test('keeps system messages, never separates a call from its result, and reports everything that it omits', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (messages) => {
        const { messages: shown, trimmed } = await make()(messages)
        const noted = (some: Iterable<Message>): string[] =>
          [...some].filter(({ role }) => isSystemRole(role)).map((m) => textOf(m))
        expect(noted(shown)).toEqual(noted(messages))
        const calls = shown.flatMap((message) => toolCallsOf(message)).map(({ id }) => id)
        const results = shown.flatMap((message) => toolResultsOf(message)).map(({ callId }) => callId)
        expect(results).toEqual(calls)
        expect(validate(shown)).toEqual(validate(messages))
        const reported = new Set(trimmed.flatMap((each) => each.messages))
        expect(messages.filter((message) => !shown.includes(message) && !reported.has(message.id))).toEqual(
          [],
        )
        expect(ids(messages).filter((id) => ids(shown).includes(id))).toEqual(
          ids(shown).filter((id) => ids(messages).includes(id)),
        )
        // The last message is always kept.
        const last = messages.at(-1)
        if (last !== undefined) expect(ids(shown)).toContain(last.id)
      }),
      { numRuns: process.env['SOAK'] ? 2_000 : 100 },
    )
  })

  test('changes nothing if everything fits', async () => {
    const short = [system('S'), user('Q'), assistant('A')]
    if (_name === 'keepLast(1)') return
    expect(await make()(short)).toEqual({ messages: short, trimmed: [] })
  })
})

describe('in detail', () => {
  test('a budget uses the counts of the provider, and estimates the rest', async () => {
    const usage = (inputTokens: number, outputTokens: number): object => ({
      usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    })
    // The estimate for the second question is about 9 tokens; the provider counted 30.
    const messages = [
      user('First question, of some length'),
      assistant('A', usage(20, 5)),
      user('Second question, of some length'),
      assistant('B', usage(55, 5)),
      user('Third'),
    ]
    const shown = async (tokens: number): Promise<number> =>
      (await tokenBudget({ tokens })(messages)).messages.length
    const third = estimateTokens(messages[4] as Message)
    expect([await shown(third), await shown(third + 34), await shown(third + 35)]).toEqual([1, 1, 3])
  })

  test('old calls are omitted, and the text next to them stays', async () => {
    const call = toolCall({ id: 'c', name: 'look' })
    const messages = [
      user('Q'),
      assistant([reasoning('Hm.'), 'I look.', call]),
      toolResults(toolResult('c', 'x')),
      assistant('A'),
      user('R'),
    ]
    const { messages: shown, trimmed } = await dropToolTraffic()(messages)
    expect(shown.map((message) => textOf(message))).toEqual(['Q', 'I look.', 'A', 'R'])
    expect(shown[1]?.content).toHaveLength(1)
    expect(trimmed.map(({ kind, messages: gone }) => [kind, gone.length])).toEqual([
      ['dropped', 1],
      ['shortened', 1],
    ])
  })

  test('a summary is marked, grows with the conversation, and is not rewritten unnecessarily', async () => {
    const asked: string[] = []
    const agent = new Agent({
      model: scripted(({ messages }) => {
        asked.push(Array.from(messages, (message) => textOf(message)).join())
        return `Summary ${asked.length}`
      }),
    })
    const strategy = summarize({ agent, maxMessages: 4, keepMessages: 2 })
    const messages: Message[] = []
    const shown: string[][] = []
    for (let turn = 1; turn <= 4; turn++) {
      messages.push(user(`Q${turn}`), assistant(`A${turn}`))
      const fitted = await strategy(messages)
      shown.push(fitted.messages.map((message) => textOf(message).replace(/^.*\n\n/s, '')))
    }
    expect(shown).toEqual([
      ['Q1', 'A1'],
      ['Q1', 'A1', 'Q2', 'A2'],
      ['Summary 1', 'Q3', 'A3'],
      ['Summary 1', 'Q3', 'A3', 'Q4', 'A4'],
    ])
    messages.push(user('Q5'))
    const { messages: last, trimmed } = await strategy(messages)
    expect(asked).toHaveLength(2)
    expect(asked[1]).toContain('Summary 1')
    expect(asked[1]).not.toContain('Q1')
    expect(last[0]?.metadata).toEqual({ interlingua: { summaryOf: trimmed[0]?.messages } })
    expect(trimmed[0]?.kind).toBe('summarized')
  })

  test('if the summary fails, the messages are omitted, and that is reported', async () => {
    const agent = new Agent({ model: scripted([new Error('down')]) })
    const messages = [1, 2, 3].flatMap((turn) => [user(`Q${turn}`), assistant(`A${turn}`)])
    const { messages: shown, trimmed } = await summarize({ agent, maxMessages: 4, keepMessages: 2 })(messages)
    expect(shown).toHaveLength(2)
    expect(trimmed).toMatchObject([
      { kind: 'dropped', reason: expect.stringContaining('the summary failed') },
    ])
  })
})
