import { InterlinguaError, type JsonObject, textOf } from 'interlingua'
import { fromMessages } from 'interlingua/formats'
import { pi } from 'interlingua/formats/pi'
import { expect, test } from 'vitest'
import { again, expectSame } from '../../law-assertions.ts'

const TIME = '2026-01-31T12:00:00.000Z'

const entry = (id: string, parentId: string | null, fields: JsonObject): JsonObject => ({
  id,
  parentId,
  timestamp: TIME,
  ...fields,
})
const say = (id: string, parentId: string | null): JsonObject =>
  entry(id, parentId, {
    type: 'message',
    message: { role: 'user', content: id, timestamp: Date.parse(TIME) },
  })

const header = { type: 'session', version: 3, id: 's', timestamp: TIME, cwd: '/' }

/** A session with two branches, a change of the model and a compaction; the last entry is the current one. */
const session: readonly JsonObject[] = [
  header,
  say('a', null),
  entry('m', 'a', { type: 'model_change', provider: 'openai', modelId: 'gpt-6' }),
  say('left', 'm'),
  entry('c', 'm', {
    type: 'compaction',
    summary: 'They greeted.',
    firstKeptEntryId: 'a',
    tokensBefore: 9,
  }),
  say('right', 'c'),
]

test('the current branch of a session is read, and the other entries are reported', () => {
  const lines = session.map((line) => JSON.stringify(line)).join('\n')
  const { format, value, losses } = fromMessages(lines)
  expect(format).toBe('pi')
  expect(value.map((message) => [message.id, textOf(message)])).toEqual([
    ['a', 'a'],
    ['c', 'They greeted.'],
    ['right', 'right'],
  ])
  expect(value[0]?.createdAt).toBe(TIME)
  expect(losses.map(({ path, rule }) => `${path} ${rule}`)).toEqual(['/2 session-entry', '/3 session-entry'])
})

test('a session of the first version is one branch', () => {
  const first = { type: 'message', timestamp: TIME, message: { role: 'user', content: 'Hi', timestamp: 1 } }
  expect(fromMessages([header, first, first]).value).toHaveLength(2)
})

/** Damaged sessions, with the code and the path of the error. */
const damaged: { readonly [title: string]: readonly [readonly JsonObject[], string, string] } = {
  'parents in a circle': [[header, say('a', 'b'), say('b', 'a')], 'cyclic', '/2/parentId'],
  'its own parent': [[header, say('a', 'a')], 'cyclic', '/1/parentId'],
  'an id twice': [[header, say('a', null), say('a', null)], 'invalid-value', '/2/id'],
  'an answer without content': [
    [entry('a', null, { type: 'message', message: { role: 'assistant', timestamp: 1 } })],
    'invalid-type',
    '/0/message/content',
  ],
}

test.each(Object.entries(damaged))('an error names %s', (_, [entries, code, path]) => {
  let error: unknown
  try {
    fromMessages(entries)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(InterlinguaError)
  expect(error).toMatchObject({ code, path })
})

test('an answer keeps its model, usage, time and signatures', () => {
  const wire = [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', thinkingSignature: 'xyz' },
        { type: 'text', text: 'Hello' },
      ],
      api: 'anthropic-messages',
      provider: 'anthropic',
      model: 'claude-sonnet-5',
      usage: {
        input: 3,
        output: 2,
        cacheRead: 5,
        cacheWrite: 0,
        totalTokens: 10,
        cost: { input: 0.1, output: 0.1, cacheRead: 0, cacheWrite: 0, total: 0.2 },
      },
      stopReason: 'stop',
      timestamp: Date.parse(TIME),
    },
  ]
  const { value } = pi.fromMessages(wire)
  expect(value[0]).toMatchObject({
    createdAt: TIME,
    origin: { dialect: 'anthropic', provider: 'anthropic', model: 'claude-sonnet-5' },
    usage: { inputTokens: 8, cachedInputTokens: 5, outputTokens: 2 },
    finish: { reason: 'stop' },
  })
  expect(value[0]?.content[0]?.signature).toMatchObject({ vendor: 'anthropic', value: 'xyz' })
  expectSame(again(pi.toMessages(value).value), wire)
})
