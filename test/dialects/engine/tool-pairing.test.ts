import {
  assistant,
  image,
  type Message,
  type Part,
  system,
  toolCall,
  toolResult,
  toolResults,
  user,
  validate,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import {
  ConversationEncoder,
  type ConversationWriter,
} from '../../../src/dialects/engine/conversation-encoder.ts'
import { noReport } from '../../../src/dialects/engine/encode-context.ts'
import { preserveInvalid } from '../../../src/dialects/engine/preserve-invalid.ts'
import { type PlacedMessage } from '../../../src/dialects/engine/tool-pairing.ts'
import { lossCatalog } from '../../../src/canonical/losses/catalog.ts'
import { toPointer } from '../../../src/wire/json-pointer.ts'
import { anyRequest } from '../../arbitraries.ts'
import { law } from '../../law-assertions.ts'
import { bare } from '../json-leaves.ts'

const SLOT = 'some-dialect'

/** A writer that only listens. */
class Listener implements ConversationWriter {
  readonly heard: PlacedMessage[] = []
  readonly #shows: boolean

  constructor(shows = false) {
    this.#shows = shows
  }

  shouldMoveToUser(): boolean {
    return this.#shows
  }

  add(placed: PlacedMessage): void {
    this.heard.push(placed)
  }

  takeFinished(): readonly never[] {
    return []
  }

  end(): { readonly remaining: readonly never[] } {
    return { remaining: [] }
  }

  fork(): Listener {
    return new Listener()
  }
}

/** What is written, and which rules acted where. */
function settled(
  messages: readonly Message[],
  shows = false,
): { sent: readonly Message[]; acts: readonly string[] } {
  const acts: string[] = []
  const lose = (rule: string, at: Parameters<typeof toPointer>[0]): void => {
    expect(Object.keys(lossCatalog)).toContain(rule)
    acts.push(`${rule} ${toPointer(at)}`)
  }
  const listener = new Listener(shows)
  const conversation = new ConversationEncoder(SLOT, listener, { ...noReport, report: lose })
  messages.forEach((message, index) => conversation.add(message, index))
  conversation.end(true)
  return { sent: listener.heard.map(({ message }) => message), acts }
}

const oslo = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const rome = toolCall({ id: 'call_2', name: 'weather', arguments: { city: 'Rome' } })
const ran = (part: Part): boolean =>
  part.type === 'tool-result' || (part.type === 'tool-call' && part.executedBy === 'provider')
const roles = (messages: readonly Message[]): string => messages.map(({ role }) => role).join(' ')

describe('calls and results on their way out', () => {
  test('what is in order stays the very same', () => {
    const messages = [
      system('Be brief'),
      user('Hi'),
      assistant([oslo]),
      toolResults([toolResult(oslo, 'Snow')]),
    ]
    const { sent, acts } = settled(messages)
    expect(acts).toEqual([])
    for (const [index, message] of sent.entries()) expect(message).toBe(messages[index])
  })

  test('a call that nobody answered gets a result that says so, before anyone speaks', () => {
    const { sent, acts } = settled([
      user('Hi'),
      assistant([oslo, rome]),
      toolResults([toolResult(rome, 'Sun')]),
      user('Well?'),
    ])
    expect(acts).toEqual(['orphan-call /messages/1/content/0'])
    expect(roles(sent)).toBe('user assistant tool tool user')
    expect(sent[3]?.content[0]).toMatchObject({ callId: 'call_1', isError: true })
  })

  test('what was said between a call and its result is sent after it', () => {
    const { sent, acts } = settled([
      assistant([oslo]),
      user('Hurry'),
      toolResults([toolResult(oslo, 'Snow')]),
    ])
    expect(acts).toEqual(['late-result /messages/1'])
    expect(roles(sent)).toBe('assistant tool user')
  })

  test('a result that no call waits for is told in words, with what it shows', () => {
    const shown = toolResult(oslo, ['A map', image({ url: 'https://example.org/map.png' })])
    const { sent, acts } = settled([user('Hi'), toolResults([shown])])
    expect(acts).toEqual(['orphan-result /messages/1/content/0'])
    expect(sent[1]).toMatchObject({ role: 'user', content: [{ type: 'text' }, { type: 'image' }] })
    expect(JSON.stringify(sent[1])).toContain('A map')
  })

  test('what results cannot hold is shown when all of them are there', () => {
    const map = image({ url: 'https://example.org/map.png' })
    const { sent, acts } = settled(
      [
        assistant([oslo, rome]),
        toolResults([toolResult(oslo, ['A map', map])]),
        user('Hurry'),
        toolResults([toolResult(rome, [map])]),
        assistant('Two maps'),
      ],
      true,
    )
    expect(acts).toEqual([
      'media-after /messages/1/content/0',
      'media-after /messages/3/content/0',
      'late-result /messages/2',
    ])
    expect(roles(sent)).toBe('assistant tool tool user user user assistant')
    expect(sent[1]?.content[0]).toMatchObject({ content: [{ text: 'A map' }, { type: 'text' }] })
    expect(sent[3]?.content).toMatchObject([{ type: 'text' }, map])
    expect(sent[5]?.content).toMatchObject([{ text: 'Hurry' }])
  })

  test('ids that come again get a number, and their results follow', () => {
    const round = [assistant([oslo]), toolResults([toolResult(oslo, 'Snow')])]
    const { sent, acts } = settled([user('Hi'), ...round, ...round, ...round])
    expect(acts).toEqual([
      'duplicate-call-id /messages/3/content/0',
      'duplicate-call-id /messages/5/content/0',
    ])
    const ids = sent.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'tool-result' ? part.callId : [])),
    )
    expect(ids).toEqual(['call_1', 'call_1_2', 'call_1_3'])
  })

  test('a result inside of an answer leaves it when the application ran the call', () => {
    const { sent, acts } = settled([{ ...assistant([oslo]), content: [oslo, toolResult(oslo, 'Snow')] }])
    expect(acts).toEqual(['misplaced-result /messages/0/content/1'])
    expect(roles(sent)).toBe('assistant tool')
  })
})

describe('any conversation', () => {
  test('comes out in order', () => {
    law(anyRequest, ({ messages }) => {
      const { sent } = settled(bare([...messages]))
      // Calls that a provider ran, and what came of them, are the provider's affair.
      const ours = sent.map((message) =>
        message.role === 'assistant'
          ? { ...message, content: message.content.filter((part) => !ran(part)) }
          : message,
      )
      const problems = validate(ours).filter(
        ({ rule }) => rule !== 'empty-message' && rule !== 'duplicate-id',
      )
      expect(problems).toEqual([])
      expect(settled(sent).acts).toEqual([])
    })
  })

  test('that grows stays as it was written', () => {
    law(anyRequest, (request) => {
      const messages = bare([...request.messages])
      for (const shows of [false, true]) {
        const whole = settled(messages, shows).sent
        for (let size = 0; size < messages.length; size += 1) {
          const cut = settled(messages.slice(0, size), shows)
          const closed = !cut.acts.some((act) => act.startsWith('orphan-call'))
          if (closed) expect(whole.slice(0, cut.sent.length)).toEqual(cut.sent)
        }
      }
    })
  })

  test('of a format itself goes out as it came', () => {
    law(anyRequest, (request) => {
      const messages = bare([...request.messages])
      const marked = preserveInvalid(messages, SLOT)
      const { sent, acts } = settled(marked)
      expect(acts).toEqual([])
      expect(sent).toEqual(marked)
    })
  })
})
