// Fields and parts of Chat Completions that OpenAI does not document, but clients and other hosts send.
import { dialects, type JsonObject, type Part } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { streamNames } from '../stream-responses.ts'
import { extensionRequests, image, pdf } from '../bodies/openai-chat-extensions.ts'

const chat = dialects['openai-chat']
const others = streamNames.filter((name) => name !== 'openai-chat')

describe('media in tool results', () => {
  const request = chat.decodeRequest(extensionRequests['resultMedia']).value

  test('is decoded like media of a user', () => {
    const parts = [...request.messages].flatMap(({ content }): readonly Part[] => content)
    expect(parts.filter(({ type }) => type === 'tool-result')).toMatchObject([
      {
        callId: 'call_1',
        content: [
          { type: 'text', text: 'A map of the city' },
          { type: 'image', source: { kind: 'base64', data: 'AAAA', mediaType: 'image/png' } },
          { type: 'file', name: 'map.pdf', source: { kind: 'base64', mediaType: 'application/pdf' } },
          { type: 'opaque' },
        ],
      },
      { callId: 'call_2', content: [] },
    ])
  })

  test.each(others)('reaches %s', (to) => {
    const { value, losses } = dialects[to].encodeRequest(request, { model: 'm' })
    const text = JSON.stringify(value)
    expect(text).toContain('A map of the city')
    expect(text).toContain('AAAA')
    expect(text).not.toContain('No result was recorded')
    expect(losses.filter(({ rule }) => rule === 'orphan-call' || rule === 'orphan-result')).toEqual([])
    expect(losses.filter(({ rule }) => rule === 'foreign-opaque')).toMatchObject([
      { path: '/messages/2/content/0/content/3' },
    ])
  })

  test('is moved to a user message if the host or an edit requires text', () => {
    const moved = [
      chat.encodeRequest(request, { flavor: 'together' }).value,
      chat.encodeRequest({
        ...request,
        messages: [...request.messages].map((message) =>
          message.role === 'tool'
            ? {
                ...message,
                content: message.content.map((part) =>
                  part.type === 'tool-result' ? { ...part, isError: true as const } : part,
                ),
              }
            : message,
        ),
      }).value,
    ]
    for (const { messages } of moved) {
      const result = messages.find((each) => each.role === 'tool') as JsonObject
      expect(result['content']).toEqual(expect.stringContaining('shown below'))
      const shown = messages
        .filter(({ role }) => role === 'user')
        .flatMap(({ content }) => content as unknown[])
      expect(shown).toEqual(expect.arrayContaining([image, pdf]))
    }
  })
})
