import { textOf, updateMessage, text } from 'interlingua'
import { mastra } from 'interlingua/formats/mastra'
import { expect, test } from 'vitest'
import { again, expectSame } from '../../law-assertions.ts'

const thread = [
  {
    id: 'u1',
    role: 'user',
    createdAt: '2026-01-31T12:00:00.000Z',
    threadId: 't1',
    resourceId: 'r1',
    content: { format: 2, parts: [{ type: 'text', text: 'How warm is it?' }], content: 'How warm is it?' },
  },
  {
    id: 'a1',
    role: 'assistant',
    createdAt: '2026-01-31T12:00:01.000Z',
    threadId: 't1',
    resourceId: 'r1',
    content: {
      format: 2,
      parts: [
        { type: 'step-start' },
        {
          type: 'reasoning',
          reasoning: '',
          details: [{ type: 'text', text: 'Look it up.', signature: 'xyz' }],
        },
        {
          type: 'tool-invocation',
          toolInvocation: {
            state: 'result',
            toolCallId: 'c1',
            toolName: 'weather',
            args: { city: 'Oslo' },
            result: { degrees: 4 },
          },
        },
        { type: 'step-start' },
        { type: 'text', text: 'It is 4 degrees.' },
      ],
      toolInvocations: [
        {
          state: 'result',
          toolCallId: 'c1',
          toolName: 'weather',
          args: { city: 'Oslo' },
          result: { degrees: 4 },
        },
      ],
    },
  },
]

test('the steps of a stored answer become messages, and are restored', () => {
  const { value, losses } = mastra.fromMessages(thread)
  expect(losses).toEqual([])
  expect(value.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  expect(value[0]).toMatchObject({ id: 'u1', createdAt: '2026-01-31T12:00:00.000Z' })
  expect(value[1]?.content[0]).toMatchObject({
    type: 'reasoning',
    text: 'Look it up.',
    signature: { vendor: 'anthropic', value: 'xyz' },
  })
  expect(value[3] && textOf(value[3])).toBe('It is 4 degrees.')
  expectSame(again(mastra.toMessages(value).value), thread)
})

test('dates of live messages are read', () => {
  const [first] = thread.map((message) => ({ ...message, createdAt: new Date(message.createdAt) }))
  expect(mastra.fromMessages([first]).value[0]?.createdAt).toBe('2026-01-31T12:00:00.000Z')
})

test('an edited text changes the field that repeats it', () => {
  const [first] = mastra.fromMessages(thread.slice(0, 1)).value
  const edited = first && updateMessage(first, { content: [text('And in Bergen?')] })
  const [written] = edited === undefined ? [] : mastra.toMessages([edited]).value
  expect(JSON.stringify(written)).not.toContain('How warm')
  expect(written?.content).toMatchObject({ content: 'And in Bergen?' })
})

test('results keep their parts, and the name of the tool if the call has another one', () => {
  const image = { type: 'image', source: { kind: 'url', url: 'https://example.org/a.png' } } as const
  const results = [
    { type: 'tool-result', callId: 'c1', name: 'chart', content: [text('It rises:'), image] },
    { type: 'tool-result', callId: 'c2', name: 'plot', content: [text('no data'), image], isError: true },
  ] as const
  const { value, losses } = mastra.toMessages([
    {
      id: 'a1',
      role: 'assistant',
      content: ['c1', 'c2'].map((id) => ({ type: 'tool-call', id, name: 'plot', arguments: {} })),
    },
    { id: 't1', role: 'tool', content: results },
  ])
  expect(losses).toEqual([])
  const [, read] = mastra.fromMessages(again(value)).value
  expectSame(again(read?.content), again(results))
})
