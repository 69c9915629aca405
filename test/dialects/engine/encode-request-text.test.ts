import fc from 'fast-check'
import {
  assistant,
  type ChatRequest,
  dialects,
  type EncodeOptions,
  type Message,
  Messages,
  reasoning,
  system,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { anyMessages, anyRequest, RUNS } from '../../arbitraries.ts'
import { again, expectSame, law } from '../../law-assertions.ts'
import { subjects } from '../dialect-table.ts'

/** The number of cases per law. Each case encodes a conversation several times. */
const CASES = RUNS / 10

const anyOptions: fc.Arbitrary<EncodeOptions> = fc.constantFrom<EncodeOptions[]>(
  {},
  { foreignReasoning: 'text' },
  { unsupported: { media: 'drop' } },
  { flavor: 'mistral' },
  { model: 'claude-opus-4-6' },
  { model: 'gemini-2.5-pro' },
  { model: 'gemma-3-27b-it' },
  { capabilities: { prefill: false } },
  { promptCaching: true },
  { promptCaching: true, flavor: 'openrouter', model: 'anthropic/claude-sonnet-5' },
)

/** Changes to a conversation: each takes the messages to use and a number. */
const edits: readonly ((messages: Messages, more: readonly Message[], number: number) => Messages)[] = [
  (messages, more) => messages.append(...more),
  (messages, more) => messages.prepend(...more),
  (messages, _more, number) => messages.slice(0, number % (messages.size + 1)),
  (messages, _more, number) => messages.slice(number % (messages.size + 1)),
  (messages, _more, number) => messages.filter((_, index) => index !== number % (messages.size + 1)),
  (messages, more, number) => {
    const chosen = messages.at(number % (messages.size + 1))
    return chosen && more[0] ? messages.replace(chosen.id, more[0]) : messages
  },
]

const anyEdit = fc.record({
  from: fc.nat(),
  edit: fc.constantFrom(...edits),
  more: anyMessages,
  number: fc.nat(),
  options: anyOptions,
})

/** A turn that ends with an assistant message, so that the previous turn is complete. */
const call = toolCall({ id: 'call_law', name: 'weather', arguments: { city: 'Oslo' } })
const closings: readonly (readonly Message[])[] = [
  [assistant('Yes?'), user('Well?')],
  [assistant(['Let me look.', call]), toolResults(toolResult(call, 'Snow'))],
]

describe.each(subjects)('the text of a request to $name', ({ dialect, fixtures }) => {
  test('equals its body, regardless of what was encoded before', () => {
    law(
      fc.tuple(anyRequest, fc.array(anyMessages, { maxLength: 3 }), anyOptions),
      ([request, additions, options]) => {
        let messages = Messages.from([...request.messages])
        for (const added of [[], ...additions]) {
          const before = messages
          messages = messages.append(...added)
          for (const each of [messages, messages, before]) {
            const asked = { ...request, messages: each }
            const { value, losses } = dialect.encodeRequestText(asked, options)
            const whole = dialect.encodeRequest({ ...asked, messages: each.toArray() }, options)
            expectSame(JSON.parse(value), again(whole.value))
            expectSame(losses, whole.losses)
          }
        }
      },
      CASES,
    )
  })

  test('equals its body after any change, for every version of the conversation', () => {
    law(
      fc.tuple(anyRequest, fc.array(anyEdit, { minLength: 2, maxLength: 8 })),
      ([request, steps]) => {
        const versions = [Messages.from([...request.messages])]
        for (const { from, edit, more, number, options } of steps) {
          const messages = edit(versions[from % versions.length] ?? Messages.of(), more, number)
          versions.push(messages)
          for (const each of [messages, messages]) {
            const { value, losses } = dialect.encodeRequestText({ ...request, messages: each }, options)
            const whole = dialect.encodeRequest({ ...request, messages: each.toArray() }, options)
            expectSame(JSON.parse(value), again(whole.value))
            expectSame(losses, whole.losses)
          }
        }
      },
      CASES,
    )
  })

  test('starts with the text of the previous request', () => {
    law(
      fc.tuple(anyRequest, anyMessages, fc.constantFrom(...closings), anyMessages, fc.boolean()),
      ([request, before, closing, after, warm]) => {
        const asked = Messages.from([...before, ...closing])
        const grown = asked.append(assistant('So be it.'), ...after)
        const text = (messages: Messages): string => {
          const { value, losses } = dialect.encodeRequestText({ ...request, messages })
          // Only cache markers above the limit of the provider are removed from earlier turns.
          fc.pre(!losses.some(({ rule }) => rule === 'cache-limit'))
          return value
        }
        if (warm) text(asked)
        const shorter = text(asked)
        expect(shorter.endsWith(']}')).toBe(true)
        expect(text(grown).startsWith(shorter.slice(0, -2))).toBe(true)
      },
      CASES,
    )
  })

  test('is exact for received bodies, unchanged and after an append', () => {
    for (const { body } of fixtures.request) {
      const request = dialect.decodeRequest(body).value
      const messages = Messages.from([...request.messages])
      for (const each of [messages, messages, messages.append('Go on')]) {
        const { value } = dialect.encodeRequestText({ ...request, messages: each })
        expectSame(JSON.parse(value), again(dialect.encodeRequest({ ...request, messages: each }).value))
      }
    }
  })

  test('[r216] encodes only the new turn', () => {
    const written = (turns: number): number => {
      let messages = conversation(turns)
      const ask = (): string => dialect.encodeRequestText({ messages }).value
      ask()
      ask()
      messages = messages.append(assistant('And?'), user('That is all.'))
      const stringify = vi.spyOn(JSON, 'stringify')
      ask()
      const { length } = stringify.mock.calls
      stringify.mockRestore()
      return length
    }
    expect(written(200)).toBe(written(5))
  })

  test('equals its body while messages of one role continue a turn', () => {
    const roles = fc.array(fc.nat({ max: 9 }), { minLength: 4, maxLength: 12 })
    law(
      fc.tuple(anyRequest, fc.constantFrom('user', 'assistant', 'tool'), roles, anyMessages, anyOptions),
      ([request, role, lengths, more, options]) => {
        const last = more.filter((each) => each.role === role)
        const turn = lengths.flatMap((length) => (length === 0 ? last : [simpleMessage(role, length)]))
        let messages = Messages.from([...request.messages].slice(0, 1))
        for (const each of [...turn, ...more]) {
          messages = messages.append(each)
          const { value, losses } = dialect.encodeRequestText({ ...request, messages }, options)
          const whole = dialect.encodeRequest({ ...request, messages: messages.toArray() }, options)
          expectSame(JSON.parse(value), again(whole.value))
          expectSame(losses, whole.losses)
        }
      },
      CASES,
    )
  })

  test.each(['user', 'assistant'] as const)('writes only the new message of a long %s turn', (role) => {
    const countWritten = (length: number, options: EncodeOptions): number => {
      let messages = Messages.from(Array.from({ length }, () => simpleMessage(role, 3)))
      const encode = (): string => dialect.encodeRequestText({ model: 'm', messages }, options).value
      encode()
      encode()
      messages = messages.append(simpleMessage(role, 3))
      const stringify = vi.spyOn(JSON, 'stringify')
      encode()
      const texts = stringify.mock.results.map(({ value }) => value as unknown)
      stringify.mockRestore()
      return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0)
    }
    for (const options of [{}, { promptCaching: true }])
      expect(countWritten(400, options)).toBeLessThan(countWritten(40, options) + 100)
  })
})

/** Returns a message of a role; a tool result has no call. */
function simpleMessage(role: string, length: number): Message {
  const text = 'ab '.repeat(length)
  if (role === 'tool')
    return toolResults({ type: 'tool-result', callId: 'c', content: [{ type: 'text', text }] })
  return role === 'user' ? user(text) : assistant(text)
}

afterEach(() => {
  vi.restoreAllMocks()
})

function conversation(turns: number): Messages {
  return Messages.from(
    Array.from({ length: turns }, (_, index) => [user(`${index}?`), assistant('Yes')]).flat(),
  ).append(user('Well?'))
}

describe('the cached text of a conversation', () => {
  test('contains system text only for models that accept it', () => {
    const turns = Array.from({ length: 20 }, (_, index) => [
      user(`Question ${index}`),
      assistant(`Answer ${index}`),
    ])
    const messages = Messages.of(system('Be brief.'), ...turns.flat(), user('And now?'))
    // The first encoding for a model caches nothing.
    for (const model of ['gemini-2.0-flash', 'gemma-3-27b-it', 'gemma-3-27b-it', 'gemma-3-27b-it']) {
      const { value } = dialects.gemini.encodeRequestText({ messages }, { model })
      expectSame(
        JSON.parse(value),
        again(dialects.gemini.encodeRequest({ messages: [...messages] }, { model }).value),
      )
    }
  })

  const thought = assistant([reasoning('Hm'), 'Yes'])
  const request = (messages: Messages): ChatRequest => ({ model: 'm', messages })

  test('is separate for two conversations with the same prefix', () => {
    const trunk = conversation(3)
    const { anthropic } = dialects
    anthropic.encodeRequestText(request(trunk))
    anthropic.encodeRequestText(request(trunk))
    const left = trunk.append(assistant('Left'), user('Go'))
    const right = trunk.append(assistant('Right'), user('Go'))
    for (const side of [left, right, left, right, trunk]) {
      const { value } = anthropic.encodeRequestText(request(side))
      expectSame(JSON.parse(value), again(dialects.anthropic.encodeRequest(request(side)).value))
    }
  })

  test('is separate for each set of options, also for more sets than the cache keeps', () => {
    const messages = conversation(3).append(thought, user('Go'))
    const ways = [1, 2, 3, 4, 5, 6].map((way) => ({ model: `m${way}` }))
    for (const options of [...ways, ...ways, ...ways.toReversed()]) {
      const { value } = dialects['openai-chat'].encodeRequestText({ messages }, options)
      expect(JSON.parse(value)).toMatchObject(options)
    }
  })

  test('repeats a loss that was refused', () => {
    const messages = Messages.of('Hi', thought, 'Go')
    const chat = dialects['openai-chat']
    chat.encodeRequestText(request(messages))
    const { losses } = chat.encodeRequestText(request(messages))
    expect(losses.map(({ severity }) => severity)).toContain('loss')
    expect(() =>
      chat.encodeRequestText(request(messages.append(assistant('OK'), user('Go'))), { onLoss: 'error' }),
    ).toThrow(expect.objectContaining({ code: 'loss-refused' }))
  })
})
