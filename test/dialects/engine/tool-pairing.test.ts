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
import { preserveInvalidToolPairing } from '../../../src/dialects/engine/preserve-invalid-pairing.ts'
import { type MessageWithPath } from '../../../src/dialects/engine/tool-pairing.ts'
import { lossCatalog } from '../../../src/canonical/losses/loss-catalog.ts'
import { toPointer } from '../../../src/wire/json-pointer.ts'
import { anyRequest } from '../../arbitraries.ts'
import { law } from '../../law-assertions.ts'
import { bare } from '../json-leaves.ts'

const SLOT = 'some-dialect'

/** A writer that collects the messages. */
class RecordingWriter implements ConversationWriter {
  readonly received: MessageWithPath[] = []
  readonly #movesMedia: boolean

  constructor(movesMedia = false) {
    this.#movesMedia = movesMedia
  }

  shouldMoveToUser(): boolean {
    return this.#movesMedia
  }

  add(placed: MessageWithPath): void {
    this.received.push(placed)
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

/** Returns the messages that are written, and the rules that are reported, with their paths. */
function encode(
  messages: readonly Message[],
  movesMedia = false,
): { sent: readonly Message[]; reported: readonly string[] } {
  const reported: string[] = []
  const report = (rule: string, path: Parameters<typeof toPointer>[0]): void => {
    expect(Object.keys(lossCatalog)).toContain(rule)
    reported.push(`${rule} ${toPointer(path)}`)
  }
  const writer = new RecordingWriter(movesMedia)
  const conversation = new ConversationEncoder(SLOT, writer, { ...noReport, report })
  messages.forEach((message, index) => conversation.add(message, index))
  conversation.end(true)
  return { sent: writer.received.map(({ message }) => message), reported }
}

const oslo = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const rome = toolCall({ id: 'call_2', name: 'weather', arguments: { city: 'Rome' } })
const ran = (part: Part): boolean =>
  part.type === 'tool-result' || (part.type === 'tool-call' && part.executedBy === 'provider')
const roles = (messages: readonly Message[]): string => messages.map(({ role }) => role).join(' ')

describe('tool pairing of an encoder', () => {
  test('returns messages that are in order unchanged', () => {
    const messages = [
      system('Be brief'),
      user('Hi'),
      assistant([oslo]),
      toolResults([toolResult(oslo, 'Snow')]),
    ]
    const { sent, reported } = encode(messages)
    expect(reported).toEqual([])
    for (const [index, message] of sent.entries()) expect(message).toBe(messages[index])
  })

  test('adds an error result for a call without a result, before the next message', () => {
    const { sent, reported } = encode([
      user('Hi'),
      assistant([oslo, rome]),
      toolResults([toolResult(rome, 'Sun')]),
      user('Well?'),
    ])
    expect(reported).toEqual(['orphan-call /messages/1/content/0'])
    expect(roles(sent)).toBe('user assistant tool tool user')
    expect(sent[3]?.content[0]).toMatchObject({ callId: 'call_1', isError: true })
  })

  test('moves a message between a call and its result after the result', () => {
    const { sent, reported } = encode([
      assistant([oslo]),
      user('Hurry'),
      toolResults([toolResult(oslo, 'Snow')]),
    ])
    expect(reported).toEqual(['late-result /messages/1'])
    expect(roles(sent)).toBe('assistant tool user')
  })

  test('writes a result without a call as text, with its media', () => {
    const shown = toolResult(oslo, ['A map', image({ url: 'https://example.org/map.png' })])
    const { sent, reported } = encode([user('Hi'), toolResults([shown])])
    expect(reported).toEqual(['orphan-result /messages/1/content/0'])
    expect(sent[1]).toMatchObject({ role: 'user', content: [{ type: 'text' }, { type: 'image' }] })
    expect(JSON.stringify(sent[1])).toContain('A map')
  })

  test('writes a second result as text after the round, and the results of open calls in their order', () => {
    const { sent, reported } = encode([
      assistant([rome, oslo, { ...rome, id: 'call_3' }, oslo]),
      toolResults([toolResult('call_3', 'Sun'), toolResult('call_3', 'Rain')]),
      user('Well?'),
    ])
    expect(reported).toEqual([
      'duplicate-call-id /messages/0/content/3',
      'duplicate-result /messages/1/content/1',
      'orphan-call /messages/0/content/0',
      'orphan-call /messages/0/content/1',
      'orphan-call /messages/0/content/3',
    ])
    expect(roles(sent)).toBe('assistant tool tool user user')
    expect(sent[2]?.content.map((part) => part.type === 'tool-result' && part.callId)).toEqual([
      'call_2',
      'call_1',
      'call_1_2',
    ])
    expect(sent[3]?.content).toEqual([{ type: 'text', text: '[result: Rain]' }])
  })

  test('writes a result after the next assistant message as text', () => {
    const { sent, reported } = encode([
      assistant([oslo]),
      assistant('Wait'),
      toolResults([toolResult(oslo, 'Snow')]),
    ])
    expect(reported).toEqual(['orphan-call /messages/0/content/0', 'orphan-result /messages/2/content/0'])
    expect(roles(sent)).toBe('assistant tool assistant user')
  })

  test('renames repeated calls of a provider with their results', () => {
    const search = toolCall({ id: 'call_1', name: 'search', arguments: {}, executedBy: 'provider' })
    const round = assistant([search, toolResult(search, 'Found')])
    const { sent, reported } = encode([round, round])
    expect(reported).toEqual(['duplicate-call-id /messages/1/content/0'])
    expect(sent[1]?.content).toMatchObject([{ id: 'call_1_2' }, { callId: 'call_1_2' }])
  })

  test('moves media that results cannot hold after all results of the round', () => {
    const map = image({ url: 'https://example.org/map.png' })
    const { sent, reported } = encode(
      [
        assistant([oslo, rome]),
        toolResults([toolResult(oslo, ['A map', map])]),
        user('Hurry'),
        toolResults([toolResult(rome, [map])]),
        assistant('Two maps'),
      ],
      true,
    )
    expect(reported).toEqual([
      'media-after /messages/1/content/0',
      'media-after /messages/3/content/0',
      'late-result /messages/2',
    ])
    expect(roles(sent)).toBe('assistant tool tool user user user assistant')
    expect(sent[1]?.content[0]).toMatchObject({ content: [{ text: 'A map' }, { type: 'text' }] })
    expect(sent[3]?.content).toMatchObject([{ type: 'text' }, map])
    expect(sent[5]?.content).toMatchObject([{ text: 'Hurry' }])
  })

  test('adds a number to repeated call ids, and to the ids of their results', () => {
    const round = [assistant([oslo]), toolResults([toolResult(oslo, 'Snow')])]
    const { sent, reported } = encode([user('Hi'), ...round, ...round, ...round])
    expect(reported).toEqual([
      'duplicate-call-id /messages/3/content/0',
      'duplicate-call-id /messages/5/content/0',
    ])
    const ids = sent.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'tool-result' ? part.callId : [])),
    )
    expect(ids).toEqual(['call_1', 'call_1_2', 'call_1_3'])
  })

  test('moves a result of the application from an assistant message to a tool message', () => {
    const { sent, reported } = encode([{ ...assistant([oslo]), content: [oslo, toolResult(oslo, 'Snow')] }])
    expect(reported).toEqual(['misplaced-result /messages/0/content/1'])
    expect(roles(sent)).toBe('assistant tool')
  })

  test('keeps the name of an assistant message that has only a result', () => {
    const moved = { ...assistant([oslo]), name: 'clerk', content: [toolResult(oslo, 'Snow')] }
    expect(encode([assistant([oslo]), moved]).sent.at(-1)).toMatchObject({ name: 'clerk' })
  })
})

describe('any conversation', () => {
  test('is written in order', () => {
    law(anyRequest, ({ messages }) => {
      const { sent } = encode(bare([...messages]))
      // Calls that a provider ran, and their results, are not paired.
      const ours = sent.map((message) =>
        message.role === 'assistant'
          ? { ...message, content: message.content.filter((part) => !ran(part)) }
          : message,
      )
      const problems = validate(ours).filter(
        ({ rule }) => rule !== 'empty-message' && rule !== 'duplicate-id',
      )
      expect(problems).toEqual([])
      expect(encode(sent).reported).toEqual([])
    })
  })

  test('that grows does not change what was written', () => {
    law(anyRequest, (request) => {
      const messages = bare([...request.messages])
      for (const movesMedia of [false, true]) {
        const whole = encode(messages, movesMedia).sent
        for (let size = 0; size < messages.length; size += 1) {
          const cut = encode(messages.slice(0, size), movesMedia)
          const closed = !cut.reported.some((rule) => rule.startsWith('orphan-call'))
          if (closed) expect(whole.slice(0, cut.sent.length)).toEqual(cut.sent)
        }
      }
    })
  })

  test('of the same dialect is written unchanged', () => {
    law(anyRequest, (request) => {
      const messages = bare([...request.messages])
      const marked = preserveInvalidToolPairing(messages, SLOT)
      const { sent, reported } = encode(marked)
      expect(reported).toEqual([])
      expect(sent).toEqual(marked)
    })
  })
})
