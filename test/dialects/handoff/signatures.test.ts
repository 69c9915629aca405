import { type ChatRequest, dialects, type Message, type Part, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { lines, subjects } from '../dialect-table.ts'
import { asking, valuesOf } from './public-issues.ts'

const signing = lines.filter(({ subject }) => subject.row.signs)

/** Returns the part with other content, and with everything else unchanged, its signature included. */
function edited(part: Part): Part {
  if (part.type === 'tool-call') {
    const { invalidArguments: _, rawArguments: _raw, ...call } = part
    return { ...call, arguments: { ...part.arguments, edited: true } }
  }
  if (part.type === 'tool-result')
    return { ...part, content: [...part.content, { type: 'text', text: 'edited' }] }
  return 'text' in part ? { ...part, text: `${part.text} edited` } : part
}

function changed(messages: Iterable<Message>, change: (part: Part) => Part): readonly Message[] {
  return [...messages].map(
    (message) => ({ ...message, content: (message.content as readonly Part[]).map(change) }) as Message,
  )
}

const tokensIn = (messages: Iterable<Message>): readonly string[] =>
  [...messages].flatMap(({ content }) =>
    (content as readonly Part[]).flatMap(({ signature }) => signature?.value ?? []),
  )

/** Returns the messages of a decoded request or response. */
function messagesOf(value: unknown): readonly Message[] {
  const { messages, candidates } = value as { messages?: Iterable<Message>; candidates?: readonly Message[] }
  return [...(messages ?? candidates ?? [])]
}

describe.each(signing)('signatures of $name', ({ subject, codec }) => {
  const signed = subject.fixtures[codec.direction]
    .map(({ name, body }) => ({ name, messages: messagesOf(codec.decode(subject, body)) }))
    .filter(({ messages }) => tokensIn(messages).length > 0)

  test('are in the bodies that the laws run on', () => expect(signed.length).toBeGreaterThan(0))

  test('are never sent with edited content, to any dialect', () => {
    const leaks = signed.flatMap(({ name, messages }) => {
      const request: ChatRequest = asking(user('Go'), ...changed(messages, edited), user('On'))
      return subjects.flatMap((to) => {
        const all = new Set(leavesText(to.dialect.encodeRequest(request).value))
        return tokensIn(messages)
          .filter((token) => all.has(token))
          .map((token) => `${name} to ${to.name}: ${token}`)
      })
    })
    expect(leaks).toEqual([])
  })

  test('are sent back with unedited content', () => {
    for (const { messages } of signed) {
      const marked = changed(messages, (part) => ({ ...part, metadata: { seen: true } }))
      const { value } = subject.dialect.encodeRequest(asking(user('Go'), ...marked, user('On')))
      const all = new Set(leavesText(value))
      expect(tokensIn(messages).filter((token) => !all.has(token))).toEqual([])
    }
  })
})

function leavesText(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesText) : []
}

describe('a ciphertext that covers several parts', () => {
  const { 'openai-responses': responses } = dialects
  const body = {
    model: 'm',
    input: [
      { role: 'user', content: 'Think' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [
          { type: 'summary_text', text: 'First' },
          { type: 'summary_text', text: 'Second' },
        ],
        encrypted_content: 'sealed',
      },
      { role: 'assistant', content: 'Done' },
    ],
  }

  test.each(['First', 'Second'])('is omitted when %s is edited', (words) => {
    const request = responses.decodeRequest(body).value
    const messages = changed(request.messages, (part) =>
      part.type === 'reasoning' && part.text === words ? edited(part) : part,
    )
    const { value, losses } = responses.encodeRequest({ ...request, messages })
    expect(valuesOf(value, 'encrypted_content')).toEqual([])
    expect(losses.map(({ rule }) => rule)).toContain('stale-signature')
  })

  test.each(['First', 'Second'])('is omitted when %s is removed', (words) => {
    const request = responses.decodeRequest(body).value
    const messages = [...request.messages].map((message) =>
      message.role === 'assistant'
        ? {
            ...message,
            content: message.content.filter((part) => !(part.type === 'reasoning' && part.text === words)),
          }
        : message,
    )
    const { value, losses } = responses.encodeRequest({ ...request, messages })
    expect(valuesOf(value, 'encrypted_content')).toEqual([])
    expect(losses.length).toBeGreaterThan(0)
  })
})
