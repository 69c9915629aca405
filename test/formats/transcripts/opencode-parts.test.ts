// Parts of opencode that the samples do not have.
import type { JsonObject } from 'interlingua'
import { fromTranscript } from 'interlingua/formats'
import { expect, test } from 'vitest'

const createExport = (parts: readonly unknown[], role = 'assistant', fields: JsonObject = {}): unknown => ({
  info: { id: 'ses_1', title: 'A session', directory: '/srv', time: { created: 1 } },
  messages: [{ info: { id: 'msg_1', sessionID: 'ses_1', role, ...fields }, parts }],
})

const readContent = (parts: readonly unknown[], role?: string, fields?: JsonObject): unknown => {
  const [session] = fromTranscript(createExport(parts, role, fields), { from: 'opencode' }).sessions
  return session?.sections[0]?.messages.map(({ role: given, content }) => ({ role: given, content }))
}

const tool = (state: JsonObject, fields: JsonObject = {}): JsonObject => ({
  type: 'tool',
  tool: 'read',
  callID: 'c',
  state: { input: { path: 'a' }, ...state },
  ...fields,
})
const call = { type: 'tool-call', id: 'c', name: 'read', arguments: { path: 'a' } }
const text = (value: string): object => ({ type: 'text', text: value })

test.each([
  [
    'a result with a picture and a file that was not stored',
    [
      tool({
        status: 'completed',
        output: 'a fjord',
        attachments: [
          { mime: 'image/png', url: 'data:image/png;base64,AAAA' },
          { mime: 'image/png', url: 'file:///a' },
          5,
        ],
      }),
    ],
    [
      { role: 'assistant', content: [call] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            callId: 'c',
            content: [
              text('a fjord'),
              { type: 'image', source: { kind: 'base64', data: 'AAAA', mediaType: 'image/png' } },
            ],
          },
        ],
      },
    ],
  ],
  [
    'a call that the provider executed',
    [
      tool(
        { status: 'completed', output: 'a' },
        { metadata: { providerExecuted: true, anthropic: { a: 1 } } },
      ),
    ],
    [
      {
        role: 'assistant',
        content: [
          { ...call, executedBy: 'provider' },
          { type: 'tool-result', callId: 'c', content: [text('a')] },
        ],
      },
    ],
  ],
  ['a call that runs', [tool({ status: 'running' })], [{ role: 'assistant', content: [call] }]],
  [
    'text that is ignored',
    [
      { type: 'text', text: 'a', ignored: true },
      { type: 'text', text: 'b' },
    ],
    [{ role: 'assistant', content: [text('b')] }],
  ],
])('%s', (_, parts, expected) => {
  expect(readContent(parts)).toMatchObject(expected)
})

test('a step of the user and a file whose text is a part of its own are no content', () => {
  const parts = [
    { type: 'step-start' },
    { type: 'file', mime: 'text/plain', url: 'file:///a' },
    { type: 'text', text: 'Hi' },
  ]
  expect(readContent(parts, 'user')).toMatchObject([{ role: 'user', content: [text('Hi')] }])
})

test('an answer that failed is a record, unless the user stopped it', () => {
  const parts = [{ type: 'text', text: 'It is' }]
  expect(readContent(parts, 'assistant', { error: { name: 'ProviderAuthError' } })).toEqual([])
  expect(readContent(parts, 'assistant', { error: { name: 'MessageAbortedError' } })).toMatchObject([
    { role: 'assistant', content: [text('It is')] },
  ])
})

test('messages and parts of the storage are ordered by their times and ids', () => {
  const message = (id: string, created: number): JsonObject => ({
    id,
    sessionID: 'ses_1',
    role: 'user',
    time: { created },
  })
  const part = (id: string, messageID: string): JsonObject => ({
    id,
    messageID,
    sessionID: 'ses_1',
    type: 'text',
    text: id,
  })
  const records = [
    part('p4', 'm1'),
    part('p2', 'm2'),
    part('p1', 'm2'),
    part('p3', 'm3'),
    message('m1', 3),
    message('m3', 2),
    message('m2', 2),
    part('p5', 'gone'),
  ]
  const files = records.map((record, index) => ({
    path: `storage/${index}.json`,
    text: JSON.stringify(record),
  }))
  const [session] = fromTranscript(files, { from: 'opencode' }).sessions
  expect(session?.sections[0]?.messages.map(({ content }) => content)).toMatchObject([
    [text('p1'), text('p2')],
    [text('p3')],
    [text('p4')],
  ])
  // A part of a message that is not there is a record.
  expect(session?.records.map(({ record }) => record['id'])).toEqual(['p5'])
})
