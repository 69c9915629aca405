import {
  type ChatRequest,
  dialects,
  type Message,
  sameContent,
  textOf,
  toolCall,
  toolResultsOf,
  validate,
} from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { scripted } from '../../src/client/scripted-model.ts'
import type { DialectName } from '../../src/dialects/engine/dialect.ts'

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const
const weather = tool({ name: 'weather', input: city, run: () => ({ fahrenheit: 72 }) })
const time = tool({ name: 'time', input: city, run: () => '3:45 PM' })

/** Their ids have the length that Mistral requires. */
const calls = ['weather', 'time'].map((name) =>
  toolCall({ id: name.padEnd(9, '0'), name, arguments: { city: 'NYC' } }),
)

/** Three turns, each with the responses of the model. */
const turns = [
  { prompt: 'Hello!', says: ['Hi! How can I help?'] },
  { prompt: 'What is the weather and time in NYC?', says: [calls, 'It is 72°F and 3:45 PM in NYC.'] },
  { prompt: 'Is that good weather for a walk?', says: ['Yes, good weather.'] },
] as const

const names = Object.keys(dialects) as DialectName[]
const orders = names
  .flatMap((first) => names.flatMap((second) => names.map((third) => [first, second, third] as const)))
  .filter((order) => new Set(order).size === 3)

describe('[r159, r161] one conversation, another provider at each turn', () => {
  test.each(orders)('%s, %s, %s', async (...order) => {
    const agent = new Agent({ model: scripted([]), tools: [weather, time], system: 'Be brief.' })
    const history: Message[] = []
    let received: ChatRequest['messages'] = []
    for (const [at, { prompt, says }] of turns.entries()) {
      const model = scripted(says, { dialect: order[at] ?? expect.fail('no dialect') })
      const { messages, losses } = await agent.with({ model }).send(prompt, { history })
      // The item ids of one provider have no meaning for another, and the output limit of a scripted model is unknown.
      const expected = ['foreign-residue', 'guessed-max-tokens']
      const lost = losses.filter(({ severity, rule }) => severity === 'loss' && !expected.includes(rule))
      expect(lost).toEqual([])
      history.push(...messages)
      received = model.requests.at(-1)?.messages ?? []
    }
    expect(history.map(({ role }) => role).join(' ')).toBe(
      'user assistant user assistant tool assistant user assistant',
    )
    expect(textOf(history.at(-1) ?? expect.fail('nothing'))).toBe('Yes, good weather.')
    const [results] = history.filter(({ role }) => role === 'tool')
    expect(results && toolResultsOf(results)).toHaveLength(2)
    for (const dialect of Object.values(dialects)) {
      expect(validate(history, dialect).filter(({ severity }) => severity === 'error')).toEqual([])
    }
    expect([...received].map((message) => textOf(message)).join('\n')).toContain('It is 72°F')
  })
})

test('the system message starts every request, and is not part of the result', async () => {
  const model = scripted(['Hi.', 'Bye.'])
  const agent = new Agent({ model, system: 'Be brief.' })
  const first = await agent.send('Hello')
  await agent.send('Bye', { history: first.messages })
  const [a, b] = model.calls.map(({ sentRequest }) => [...sentRequest.messages])
  expect(a?.[0]).toBe(b?.[0])
  expect(a?.[0] && textOf(a[0])).toBe('Be brief.')
  expect(first.messages.some(({ role }) => role === 'system')).toBe(false)
  expect(b?.slice(1, 3).every((message, at) => sameContent(message, first.messages[at] ?? message))).toBe(
    true,
  )
})

test('`with` replaces the given options and keeps the rest', () => {
  const [one, two] = [scripted([]), scripted([])]
  const agent = new Agent({ model: one, tools: [weather], limits: { steps: 3 } })
  const other = agent.with({ model: two })
  expect(other.options).toEqual({ ...agent.options, model: two })
  expect(agent.options.model).toBe(one)
})
