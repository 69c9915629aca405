import fc from 'fast-check'
import { InterlinguaError, type JsonObject, type Message, textOf } from 'interlingua'
import { chatgptExport, type ConversationReader } from 'interlingua/formats/chatgpt-export'
import { claudeExport } from 'interlingua/formats/claude-export'
import { fromConversations, fromMessages, toSessionLines } from 'interlingua/formats'
import { memoryStorage } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { law } from '../../law-assertions.ts'
import { mutated } from '../../json-mutations.ts'
import { chatgptConversation, claudeConversation } from './exported-conversations.ts'

const RUNS = process.env['SOAK'] ? 10_000 : 100

const texts = (messages: Iterable<Message>): readonly string[] =>
  [...messages].map((message) => `${message.role} ${textOf(message)}`)

test('ChatGPT: the current branch has instructions, calls, results, reasoning and models', () => {
  const { value, losses, format } = fromMessages(JSON.stringify([chatgptConversation]))
  expect(format).toBe('chatgpt-export')
  expect(value.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'assistant',
    'tool',
    'assistant',
  ])
  expect(value[1]?.content[0]).toMatchObject({ type: 'image', source: { kind: 'id', id: 'file-abc' } })
  expect(value[2]?.content[0]).toMatchObject({ type: 'reasoning', text: 'Weather\n\nCompute it.' })
  expect(value[3]?.content[0]).toMatchObject({
    type: 'tool-call',
    id: 'n5',
    name: 'python',
    arguments: { input: 'print(2 + 2)', language: 'python' },
  })
  expect(value[4]?.content[0]).toMatchObject({ type: 'tool-result', callId: 'n5', name: 'python' })
  expect(value[5]).toMatchObject({ origin: { model: 'gpt-5' }, content: [{ text: 'About 4 degrees' }] })
  expect(losses.map(({ path, rule }) => `${path} ${rule}`)).toContain('/0/n7 branch-omitted')
  expect(losses.map(({ path, rule }) => `${path} ${rule}`)).toContain('/0/mapping/n1 session-entry')
})

test('Claude.ai: a message keeps its calls and results, and a file without content is reported', () => {
  const { value, losses, format } = fromMessages([claudeConversation])
  expect(format).toBe('claude-export')
  expect(texts(value)).toEqual([
    'user OsloHow warm is it?',
    'assistant 44 degrees',
    'user And today?',
    'assistant The same.',
  ])
  expect(value[0]?.content[0]).toMatchObject({
    type: 'file',
    name: 'a.txt',
    source: { kind: 'text', text: 'Oslo' },
  })
  const [, call, result] = value[1]?.content ?? []
  expect(call).toMatchObject({ type: 'tool-call', name: 'web_search', executedBy: 'provider' })
  expect(result).toMatchObject({ type: 'tool-result', callId: (call as { id: string }).id })
  expect(losses.map(({ path, rule }) => `${path} ${rule}`)).toContain(
    '/0/chat_messages/0/files/0 dropped-media',
  )
})

test.each([
  ['ChatGPT', chatgptConversation, 2],
  ['Claude.ai', claudeConversation, 2],
])('%s: a storage keeps the branches', async (_, conversation, count) => {
  const storage = memoryStorage()
  const [read] = fromConversations([conversation])
  if (read === undefined) throw new Error('no conversation')
  const session = await storage.importSession(toSessionLines(read))
  expect(session.title).toBe('Weather')
  expect(await storage.branches(session.id)).toHaveLength(count)
  expect(texts(await storage.messages(session.id))).toEqual(texts(read.value.messages))
})

const readers: readonly (readonly [string, ConversationReader, JsonObject])[] = [
  ['chatgpt-export', chatgptExport, chatgptConversation as unknown as JsonObject],
  ['claude-export', claudeExport, claudeConversation as unknown as JsonObject],
]

describe.each(readers)('%s', (_, reader, conversation) => {
  test('broken conversations are read, or refused with a code and a path', () => {
    law(
      mutated(fc.constant([conversation])),
      (broken) => {
        try {
          for (const { value } of reader.fromConversations(broken))
            for (const { content } of value.messages) expect(content.length).toBeGreaterThan(0)
        } catch (error) {
          if (!(error instanceof InterlinguaError)) throw error
          expect(error.code, error.stack).not.toBe('internal')
          expect([typeof error.path, typeof error.expected]).toEqual(['string', 'string'])
        }
      },
      RUNS,
    )
  })
})

test('a parent that follows from itself is an error with its path', () => {
  const message = (id: string, parent: string): object => ({
    id,
    parent,
    message: { author: { role: 'user' }, content: { content_type: 'text', parts: ['x'] } },
  })
  const cyclic = { current_node: 'a', mapping: { a: message('a', 'b'), b: message('b', 'a') } }
  expect(() => fromConversations([cyclic])).toThrow(
    expect.objectContaining({ code: 'cyclic', path: '/0/mapping/a' }),
  )
})
