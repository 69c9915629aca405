import { dialects, type JsonObject, type Message, type Part, translateRequest } from 'interlingua'
import { describe, expect, test } from 'vitest'

const { anthropic } = dialects

const text = (content: string): JsonObject => ({ type: 'text', text: content })

const found = {
  type: 'search_result',
  source: 'https://example.org/a',
  title: 'Findings',
  content: [text('The first.'), text(''), text('The last.')],
  citations: { enabled: true },
}

const body = (block: JsonObject): JsonObject => ({
  model: 'm',
  max_tokens: 9,
  messages: [{ role: 'user', content: [block, text('What is it?')] }],
})

function partOf(block: JsonObject): Part | undefined {
  const [message] = [...anthropic.decodeRequest(body(block)).value.messages]
  return message?.content[0]
}

describe('documents of text blocks', () => {
  test.each([
    ['a search result', found, 'The first.\n\nThe last.', 'Findings'],
    [
      'a document',
      { type: 'document', title: 'B', source: { type: 'content', content: [text('One'), text('Two')] } },
      'One\nTwo',
      'B',
    ],
    [
      'a plain document',
      { type: 'document', title: 'T', source: { type: 'content', content: 'One' } },
      'One',
      'T',
    ],
  ])('%s is decoded as a file with that text and encoded to the same block', (_, block, content, name) => {
    expect(partOf(block)).toMatchObject({ type: 'file', name, source: { kind: 'text', text: content } })
    expect(translateRequest(body(block), { from: 'anthropic', to: 'anthropic' })).toEqual({
      value: body(block),
      losses: [],
    })
  })

  test('other dialects get the text, and losses report what they omit', () => {
    const { value, losses } = translateRequest(body(found), { from: 'anthropic', to: 'openai-chat' })
    expect(JSON.stringify(value)).toContain('The last.')
    expect(losses.map(({ path }) => path)).toContain('/messages/0/content/0/extra/anthropic/source')
  })

  test('an edited text is one block', () => {
    const request = anthropic.decodeRequest(body(found)).value
    const [message] = JSON.parse(JSON.stringify(request.messages)) as [Message]
    const content = message.content.map((part) =>
      part.type === 'file' ? { ...part, source: { kind: 'text', text: 'Other words' } } : part,
    )
    const edited = { ...request, messages: [{ ...message, content } as Message] }
    const [sent] = anthropic.encodeRequest(edited).value.messages
    expect(sent?.content).toMatchObject([{ ...found, content: [text('Other words')] }, {}])
  })

  test('blocks with more than their text stay opaque', () => {
    const cited = { ...found, content: [{ ...text('x'), citations: [] }] }
    expect(partOf(cited)).toMatchObject({ type: 'opaque' })
  })

  test('a file for the code execution container is decoded as a file', () => {
    const upload = { type: 'container_upload', file_id: 'file_1' }
    expect(partOf(upload)).toMatchObject({ type: 'file', source: { kind: 'id', id: 'file_1' } })
  })
})
