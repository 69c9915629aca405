import { textOf } from 'interlingua'
import { fromConversations, fromMessages, toConversation, toSessionLines } from 'interlingua/formats'
import { memoryStorage } from 'interlingua/stores'
import { expect, test } from 'vitest'
import { again } from '../../law-assertions.ts'

/** The samples of the fine-tuning guide of OpenAI, with other words. */
const supervised = {
  messages: [
    { role: 'system', content: 'You forecast the weather.' },
    { role: 'user', content: 'How warm is it in Oslo?' },
    {
      role: 'assistant',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      ],
      weight: 0,
    },
    { role: 'tool', tool_call_id: 'c1', content: '4' },
    { role: 'assistant', content: 'It is 4 degrees.', weight: 1 },
  ],
  parallel_tool_calls: false,
  tools: [
    {
      type: 'function',
      function: {
        name: 'weather',
        description: 'The weather',
        parameters: { type: 'object', properties: {} },
      },
    },
  ],
}

const pair = {
  input: { messages: [{ role: 'user', content: 'How warm is it?' }], tools: [], parallel_tool_calls: true },
  preferred_output: [{ role: 'assistant', content: 'Where are you?' }],
  non_preferred_output: [{ role: 'assistant', content: 'Warm enough.' }],
}

test('a line has tools and weights, and is restored', () => {
  const [conversation] = fromConversations(`${JSON.stringify(supervised)}\n`)
  expect(conversation?.format).toBe('openai-fine-tuning')
  expect(conversation?.value.tools).toHaveLength(1)
  if (conversation === undefined) return
  expect(again(toConversation(conversation.value, { to: 'openai-fine-tuning' }).value)).toEqual(supervised)
  const { value, losses } = toConversation(conversation.value, { to: 'sharegpt' })
  expect(value.conversations.map(({ from }) => from)).toEqual([
    'system',
    'human',
    'function_call',
    'observation',
    'gpt',
  ])
  expect(losses.map(({ path, rule }) => `${path} ${rule}`)).toContain('/parallelToolCalls setting-omitted')
  expect(losses.map(({ path }) => path)).toContain('/messages/2/extra/openai-fine-tuning/weight')
})

test('a preference pair is two branches, and the preferred one is current', async () => {
  const [conversation] = fromConversations([pair])
  if (conversation === undefined) throw new Error('no conversation')
  expect([...conversation.value.messages].map((message) => textOf(message))).toEqual([
    'How warm is it?',
    'Where are you?',
  ])
  const storage = memoryStorage()
  const session = await storage.importSession(toSessionLines(conversation, { title: 'pair' }))
  const branches = await storage.branches(session.id)
  expect(branches).toHaveLength(2)
  expect([...(await storage.messages(session.id))].map((message) => textOf(message))).toEqual([
    'How warm is it?',
    'Where are you?',
  ])
  expect(again(toConversation(conversation.value, { to: 'openai-fine-tuning' }).value)).toEqual(pair)
  const { losses } = fromMessages(pair)
  expect(losses.map(({ rule }) => rule)).toContain('branch-omitted')
})

test('several conversations are not one list of messages', () => {
  const lines = [supervised, supervised].map((line) => JSON.stringify(line)).join('\n')
  expect(() => fromMessages(lines)).toThrow(/2 conversations/)
  expect(fromConversations(lines)).toHaveLength(2)
})

test.each([
  ['a torn line', '{"messages":[{"role":"user"', 'not-json', ''],
  ['no messages', { input: {}, preferred_output: [] }, 'unknown-message-format', '/0'],
  [
    'a message without a role',
    { messages: [{ content: 'x', weight: 1 }] },
    'unknown-message-format',
    '/0/messages/0',
  ],
  ['a pair with a text', { ...pair, preferred_output: ['x'] }, 'invalid-type', '/0/preferred_output/0'],
])('%s is an error with a path', (_, input, code, path) => {
  expect(() => fromConversations(input, { from: 'openai-fine-tuning' })).toThrow(
    expect.objectContaining({
      code,
      path: expect.stringMatching(path === '' ? /./ : new RegExp(`^${path}`)) as string,
    }),
  )
})
