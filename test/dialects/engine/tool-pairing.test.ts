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

/** A writer that records its messages. */
class RecordingWriter implements ConversationWriter {
  readonly messages: PlacedMessage[] = []
  readonly #movesMedia: boolean

  constructor(movesMedia = false) {
    this.#movesMedia = movesMedia
  }

  shouldMoveToUser(): boolean {
    return this.#movesMedia
  }

  add(placed: PlacedMessage): void {
    this.messages.push(placed)
  }

  takeFinished(): readonly never[] {
    return []
  }

  end(): { readonly remaining: readonly never[] } {
    return { remaining: [] }
  }

  fork(): RecordingWriter {
    return new RecordingWriter()
  }
}

/** Returns the written messages and the applied rules with their positions. */
function encode(
  messages: readonly Message[],
  movesMedia = false,
): { sent: readonly Message[]; applied: readonly string[] } {
  const applied: string[] = []
  const report = (rule: string, at: Parameters<typeof toPointer>[0]): void => {
    expect(Object.keys(lossCatalog)).toContain(rule)
    applied.push(`${rule} ${toPointer(at)}`)
  }
  const writer = new RecordingWriter(movesMedia)
  const conversation = new ConversationEncoder(SLOT, writer, { ...noReport, report })
  messages.forEach((message, index) => conversation.add(message, index))
  conversation.end(true)
  return { sent: writer.messages.map(({ message }) => message), applied }
}

const oslo = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const rome = toolCall({ id: 'call_2', name: 'weather', arguments: { city: 'Rome' } })
const isProviderPart = (part: Part): boolean =>
  part.type === 'tool-result' || (part.type === 'tool-call' && part.executedBy === 'provider')
const roles = (messages: readonly Message[]): string => messages.map(({ role }) => role).join(' ')

describe('calls and results when encoded', () => {
  test('messages in order are passed on as the same objects', () => {
    const messages = [
      system('Be brief'),
      user('Hi'),
      assistant([oslo]),
      toolResults([toolResult(oslo, 'Snow')]),
    ]
    const { sent, applied } = encode(messages)
    expect(applied).toEqual([])
    for (const [index, message] of sent.entries()) expect(message).toBe(messages[index])
  })

  test('a call without a result gets a generated one before the next message', () => {
    const { sent, applied } = encode([
      user('Hi'),
      assistant([oslo, rome]),
      toolResults([toolResult(rome, 'Sun')]),
      user('Well?'),
    ])
    expect(applied).toEqual(['orphan-call /messages/1/content/0'])
    expect(roles(sent)).toBe('user assistant tool tool user')
    expect(sent[3]?.content[0]).toMatchObject({ callId: 'call_1', isError: true })
  })

  test('a message between a call and its result is sent after the result', () => {
    const { sent, applied } = encode([
      assistant([oslo]),
      user('Hurry'),
      toolResults([toolResult(oslo, 'Snow')]),
    ])
    expect(applied).toEqual(['late-result /messages/1'])
    expect(roles(sent)).toBe('assistant tool user')
  })

  test('a result without a call is described in a user message, with its media', () => {
    const shown = toolResult(oslo, ['A map', image({ url: 'https://example.org/map.png' })])
    const { sent, applied } = encode([user('Hi'), toolResults([shown])])
    expect(applied).toEqual(['orphan-result /messages/1/content/0'])
    expect(sent[1]).toMatchObject({ role: 'user', content: [{ type: 'text' }, { type: 'image' }] })
    expect(JSON.stringify(sent[1])).toContain('A map')
  })

  test('media that results cannot contain follow after all results', () => {
    const map = image({ url: 'https://example.org/map.png' })
    const { sent, applied } = encode(
      [
        assistant([oslo, rome]),
        toolResults([toolResult(oslo, ['A map', map])]),
        user('Hurry'),
        toolResults([toolResult(rome, [map])]),
        assistant('Two maps'),
      ],
      true,
    )
    expect(applied).toEqual([
      'media-after /messages/1/content/0',
      'media-after /messages/3/content/0',
      'late-result /messages/2',
    ])
    expect(roles(sent)).toBe('assistant tool tool user user user assistant')
    expect(sent[1]?.content[0]).toMatchObject({ content: [{ text: 'A map' }, { type: 'text' }] })
    expect(sent[3]?.content).toMatchObject([{ type: 'text' }, map])
    expect(sent[5]?.content).toMatchObject([{ text: 'Hurry' }])
  })

  test('duplicate ids get a number, also in their results', () => {
    const round = [assistant([oslo]), toolResults([toolResult(oslo, 'Snow')])]
    const { sent, applied } = encode([user('Hi'), ...round, ...round, ...round])
    expect(applied).toEqual([
      'duplicate-call-id /messages/3/content/0',
      'duplicate-call-id /messages/5/content/0',
    ])
    const ids = sent.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'tool-result' ? part.callId : [])),
    )
    expect(ids).toEqual(['call_1', 'call_1_2', 'call_1_3'])
  })

  test('a result inside an assistant message is moved out if the application isProviderPart the call', () => {
    const { sent, applied } = encode([{ ...assistant([oslo]), content: [oslo, toolResult(oslo, 'Snow')] }])
    expect(applied).toEqual(['misplaced-result /messages/0/content/1'])
    expect(roles(sent)).toBe('assistant tool')
  })
})

describe('any conversation', () => {
  test('is encoded in order', () => {
    law(anyRequest, ({ messages }) => {
      const { sent } = encode(bare([...messages]))
      // Calls and results of tools that the provider runs are not paired.
      const ours = sent.map((message) =>
        message.role === 'assistant'
          ? { ...message, content: message.content.filter((part) => !isProviderPart(part)) }
          : message,
      )
      const problems = validate(ours).filter(
        ({ rule }) => rule !== 'empty-message' && rule !== 'duplicate-id',
      )
      expect(problems).toEqual([])
      expect(encode(sent).applied).toEqual([])
    })
  })

  test('keeps its encoded prefix when it grows', () => {
    law(anyRequest, (request) => {
      const messages = bare([...request.messages])
      for (const movesMedia of [false, true]) {
        const whole = encode(messages, movesMedia).sent
        for (let size = 0; size < messages.length; size += 1) {
          const cut = encode(messages.slice(0, size), movesMedia)
          const closed = !cut.applied.some((act) => act.startsWith('orphan-call'))
          if (closed) expect(whole.slice(0, cut.sent.length)).toEqual(cut.sent)
        }
      }
    })
  })

  test('received in the same dialect is sent as received', () => {
    law(anyRequest, (request) => {
      const messages = bare([...request.messages])
      const marked = preserveInvalid(messages, SLOT)
      const { sent, applied } = encode(marked)
      expect(applied).toEqual([])
      expect(sent).toEqual(marked)
    })
  })
})
