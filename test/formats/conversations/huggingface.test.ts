import { textOf } from 'interlingua'
import { fromConversations, fromMessages, toConversation, toSessionLines } from 'interlingua/formats'
import { memoryStorage } from 'interlingua/stores'
import { expect, test } from 'vitest'
import { again } from '../../law-assertions.ts'
import { only } from './only-conversation.ts'

const question = { role: 'user', content: 'How warm is it?' }

test('results without ids belong to the open calls of their tool', () => {
  const call = (name: string, city: string): object => ({ function: { name, arguments: { city } } })
  const result = (name: string, content: string): object => ({ role: 'tool', name, content })
  const { value } = only({
    messages: [
      question,
      {
        role: 'assistant',
        tool_calls: [call('weather', 'Oslo'), call('time', 'Oslo'), call('weather', 'Bergen')],
      },
      result('time', '12:00'),
      result('weather', '4'),
      result('weather', '7'),
    ],
  })
  const [, answer, results] = [...value.messages]
  expect(answer?.content).toMatchObject([{ id: 'call_1' }, { id: 'call_2' }, { id: 'call_3' }])
  expect(results?.content).toMatchObject([{ callId: 'call_2' }, { callId: 'call_1' }, { callId: 'call_3' }])
})

test.each([
  [
    'explicit',
    {
      prompt: [question],
      chosen: [{ role: 'assistant', content: 'Where?' }],
      rejected: [{ role: 'assistant', content: 'Warm.' }],
    },
  ],
  [
    'implicit',
    {
      chosen: [question, { role: 'assistant', content: 'Where?' }],
      rejected: [question, { role: 'assistant', content: 'Warm.' }],
    },
  ],
  ['text', { prompt: 'How warm is it?', chosen: 'Where?', rejected: 'Warm.' }],
])('an %s preference pair is two branches, and the chosen one is current', async (_, row) => {
  const conversation = only([row])
  expect(conversation.format).toBe('huggingface')
  const storage = memoryStorage()
  const session = await storage.importSession(toSessionLines(conversation, { title: 'pair' }))
  const current = [...(await storage.messages(session.id))].map((message) => textOf(message))
  expect(current).toEqual(['How warm is it?', 'Where?'])
  expect(await storage.branches(session.id)).toHaveLength(2)
  expect(conversation.allMessages?.map((message) => textOf(message))).toEqual([
    'How warm is it?',
    'Where?',
    'Warm.',
  ])
  expect(again(toConversation(conversation.value, { to: 'huggingface' }).value)).toEqual(row)
})

test('an edited answer is written to the columns that were read, without the old text', () => {
  const row = {
    prompt: [question],
    completion: [{ role: 'assistant', content: 'Cold.', thinking: 'Hm.' }],
    label: true,
  }
  const { value } = only(row)
  const messages = [...value.messages].map((message) =>
    message.role === 'assistant'
      ? {
          ...message,
          content: [
            { type: 'reasoning' as const, text: 'Oslo?' },
            { type: 'text' as const, text: '4 degrees' },
          ],
        }
      : message,
  )
  expect(again(toConversation({ ...value, messages }, { to: 'huggingface' }).value)).toEqual({
    prompt: [question],
    completion: [{ role: 'assistant', content: '4 degrees', thinking: 'Oslo?' }],
    label: true,
  })
})

test('images of a column are images of the messages, and are written there', () => {
  const row = {
    messages: [{ role: 'user', content: 'What is it?' }],
    images: ['https://example.org/cat.png'],
  }
  const { value } = only(row)
  expect([...value.messages][0]?.content).toMatchObject([
    { type: 'image', source: { url: 'https://example.org/cat.png' } },
    { type: 'text', text: 'What is it?' },
  ])
  const plain = fromMessages([...value.messages].map(({ extra: _extra, ...message }) => message)).value
  const bare = plain.map((message) => ({
    ...message,
    content: message.content.map(({ extra: _extra, ...part }) => part),
  }))
  expect(again(toConversation({ messages: bare as typeof plain }, { to: 'huggingface' }).value)).toEqual({
    messages: [{ role: 'user', content: [{ type: 'image' }, { type: 'text', text: 'What is it?' }] }],
    images: ['https://example.org/cat.png'],
  })
})

test('rows with nothing but messages are rows of a dataset where conversations are expected', () => {
  const row = { messages: [question, { role: 'assistant', content: '4 degrees' }] }
  expect(only(row).format).toBe('huggingface')
  expect(fromMessages(row).format).toBe('interlingua')
})

test.each([
  ['no messages', { prompt: 4 }, 'unknown-message-format', '/0'],
  ['a text as a message', { prompt: ['x'] }, 'invalid-type', '/0/prompt/0'],
  [
    'a call without a name',
    { messages: [{ role: 'assistant', tool_calls: [{}] }] },
    'missing-field',
    '/0/messages/0/tool_calls/0/name',
  ],
  [
    'content that is a number',
    { messages: [{ role: 'user', content: 4 }] },
    'invalid-type',
    '/0/messages/0/content',
  ],
])('%s is an error with a path', (_, input, code, path) => {
  expect(() => fromConversations(input, { from: 'huggingface' })).toThrow(
    expect.objectContaining({ code, path }),
  )
})
