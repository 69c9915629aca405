import fc from 'fast-check'
import {
  type AssistantMessage,
  type EncodeOptions,
  type Flavor,
  type JsonObject,
  type Message,
  Messages,
  ROLES,
  type ToolCallPart,
  type ToolResultPart,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { flavors as anthropic } from '../../../src/dialects/anthropic/flavors.ts'
import { flavors as gemini } from '../../../src/dialects/gemini/flavors.ts'
import { flavors as chat } from '../../../src/dialects/openai-chat/flavors.ts'
import { flavors as responses } from '../../../src/dialects/openai-responses/flavors.ts'
import { dialects } from '../../../src/dialects/dialects.ts'
import { isPairedConversation } from '../../../src/dialects/engine/paired-messages.ts'
import { ToolPairing } from '../../../src/dialects/engine/tool-pairing.ts'
import { anyText, RUNS } from '../../arbitraries.ts'
import { again, expectSame, law } from '../../law-assertions.ts'
import { subjects } from '../dialect-table.ts'

/** Texts that occur elsewhere in an encoded message, or that an encoder may treat differently. */
const anyWords = fc.oneof(
  anyText,
  fc.constantFrom('Hi', 'Hi  ', '', ' ', '{"a":1}', '"Hi"', 'call_1', 'weather', 'text', 'model', ...ROLES),
  fc.constantFrom('\ud800', 'a\u2028b', '<think>Hi</think>', '<system>\nHi\n</system>'),
)

/** Ids and names that providers accept, refuse, or that occur elsewhere. */
const anyId = fc.constantFrom('call_1', 'call_2', 'aB3dE6gH9', 'a b', 'x'.repeat(70), 'tool', 'Hi', '\udc00')
const anyName = fc.constantFrom('weather', 'search', 'tool', 'function', 'name', 'get weather', '1', 'Hi')

const anyArguments = fc.oneof(
  fc.constantFrom<JsonObject[]>({}, { city: 'Oslo' }, { input: 'Hi' }, { 'a key': 1 }, { extra: { a: [] } }),
  fc.record({
    text: anyWords,
    page: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  }),
)

const anyCall = fc.record<ToolCallPart>({
  type: fc.constant('tool-call'),
  id: anyId,
  name: anyName,
  arguments: anyArguments,
})

/** How the results of a turn differ from what its calls require. */
const anyAnswer = fc.constantFrom(
  'answered',
  'answered',
  'answered',
  'reversed',
  'missing',
  'failed',
  'renamed',
)

interface Turn {
  readonly texts: readonly string[]
  readonly calls: readonly ToolCallPart[]
  readonly answer: string
  readonly hasNames: boolean
  readonly result: string
  readonly origin: string | undefined
}

const anyTurn = fc.record<Turn>({
  texts: fc.array(anyWords, { maxLength: 2 }),
  calls: fc.array(anyCall, { maxLength: 2 }),
  answer: anyAnswer,
  hasNames: fc.boolean(),
  result: anyWords,
  origin: fc.constantFrom(undefined, ...Object.keys(dialects)),
})

/** Returns the messages of turns. In those that are `marked`, each part has metadata, so that it is no template or copy. */
function createMessages(turns: readonly Turn[], hasUniqueIds: boolean, isMarked: boolean): Message[] {
  const mark = isMarked ? { metadata: {} } : {}
  return turns.flatMap(({ texts, calls: given, answer, hasNames, result, origin }, turn): Message[] => {
    const calls = hasUniqueIds
      ? given.map((call, index) => ({ ...call, id: `${call.id}${turn}${index}` }))
      : given
    const results = calls.map(({ id, name }): ToolResultPart => ({
      type: 'tool-result',
      callId: id,
      ...(hasNames && { name: answer === 'renamed' ? 'other' : name }),
      content: [{ type: 'text', text: result, ...mark }],
      ...(answer === 'failed' && { isError: true as const }),
      ...mark,
    }))
    const assistant: AssistantMessage = {
      id: `msg_${turn}`,
      role: 'assistant',
      content: [
        ...texts.map((text) => ({ type: 'text' as const, text, ...mark })),
        ...calls.map((call) => ({ ...call, ...mark })),
      ],
      ...(origin !== undefined && { origin: { dialect: origin } }),
    }
    const written = answer === 'missing' ? [] : answer === 'reversed' ? results.toReversed() : results
    const tool: Message = { id: `msg_${turn}_results`, role: 'tool', content: written }
    const user: Message = {
      id: `msg_${turn}_user`,
      role: 'user',
      content: [{ type: 'text', text: result, ...mark }],
    }
    return [assistant, ...(calls.length > 0 ? [tool] : []), ...(turn % 3 === 0 ? [user] : [])]
  })
}

const anyOptions = fc.record<EncodeOptions>(
  {
    flavor: fc.constantFrom(
      ...([chat, responses, anthropic, gemini].flatMap((table) => Object.keys(table)) as Flavor[]),
    ),
    model: fc.constantFrom(
      'gpt-5',
      'claude-opus-4-6',
      'gemini-3-pro',
      'gemini-2.5-pro',
      'deepseek-reasoner',
      'mistral-large-latest',
    ),
  },
  { requiredKeys: [] },
)

const anyConversation = fc.record({
  turns: fc.array(anyTurn, { minLength: 8, maxLength: 16 }),
  hasUniqueIds: fc.boolean(),
  options: anyOptions,
})

describe.each(subjects)('the text of simple messages to $name', ({ dialect }) => {
  test('is the text of the elements that the encoder writes, with the same losses', () => {
    law(
      anyConversation,
      ({ turns, hasUniqueIds, options }) => {
        const simple = createMessages(turns, hasUniqueIds, false)
        const marked = createMessages(turns, hasUniqueIds, true)
        const whole = dialect.encodeRequest({ model: 'm', messages: marked }, options)
        const { value, losses } = dialect.encodeRequestText({ model: 'm', messages: simple }, options)
        expectSame(JSON.parse(value), again(whole.value))
        expectSame(losses, whole.losses)
      },
      RUNS * 2,
    )
  })

  test('is the same while the conversation grows', () => {
    law(
      anyConversation,
      ({ turns, hasUniqueIds, options }) => {
        const simple = createMessages(turns, hasUniqueIds, false)
        const marked = createMessages(turns, hasUniqueIds, true)
        let messages = Messages.of()
        for (let size = 1; size <= simple.length; size += 1 + (size % 3)) {
          messages = messages.append(...simple.slice(messages.size, size))
          const whole = dialect.encodeRequest({ model: 'm', messages: marked.slice(0, size) }, options)
          const { value, losses } = dialect.encodeRequestText({ model: 'm', messages }, options)
          expectSame(JSON.parse(value), again(whole.value))
          expectSame(losses, whole.losses)
        }
      },
      RUNS / 5,
    )
  })

  test('does not contain the values of other messages after an edit', () => {
    const turns = Array.from({ length: 10 }, (_, index): Turn => {
      const call: ToolCallPart = {
        type: 'tool-call',
        id: `c${index}`,
        name: 'search',
        arguments: { page: index },
      }
      return {
        texts: [`Look ${index}`],
        calls: [call],
        answer: 'answered',
        hasNames: true,
        result: `Found ${index}`,
        origin: undefined,
      }
    })
    const messages = createMessages(turns, false, false)
    dialect.encodeRequestText({ model: 'm', messages })
    const text = messages[0]?.content[0] as { text: string }
    text.text = 'Changed'
    const { value } = dialect.encodeRequestText({ model: 'm', messages })
    expectSame(JSON.parse(value), again(dialect.encodeRequest({ model: 'm', messages }).value))
    expect(value).toContain('Changed')
  })
})

test('messages that need no pairing are those that the pairing returns unchanged', () => {
  let pairedCount = 0
  law(
    anyConversation,
    ({ turns, hasUniqueIds }) => {
      const messages = createMessages(turns.slice(0, 4), hasUniqueIds, false)
      if (!isPairedConversation(messages)) return
      pairedCount++
      const reported: string[] = []
      const pairing = new ToolPairing('anthropic', (rule) => reported.push(rule), {
        shouldMoveToUser: () => true,
        omitsName: () => true,
      })
      const paired = [
        ...messages.flatMap((message, index) => pairing.add(message, index)),
        ...pairing.flush(),
      ]
      expect(reported).toEqual([])
      expect(paired.map(({ message }) => message)).toEqual(messages)
      paired.forEach(({ message }, index) => expect(message).toBe(messages[index]))
    },
    RUNS * 4,
  )
  expect(pairedCount).toBeGreaterThan(0)
})
