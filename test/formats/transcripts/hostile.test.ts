import type { JsonObject } from 'interlingua'
import { currentBranch, fromTranscript, toSessionLines, type TranscriptSession } from 'interlingua/formats'
import { memoryStorage } from 'interlingua/stores'
import { expect, test } from 'vitest'
import { samples } from './sample-files.ts'

const record = (uuid: string, parentUuid: string | null, fields: JsonObject = {}): JsonObject => ({
  type: 'user',
  uuid,
  parentUuid,
  isSidechain: false,
  sessionId: 's',
  message: { role: 'user', content: uuid },
  ...fields,
})

const toLines = (records: readonly unknown[]): string =>
  records.map((each) => JSON.stringify(each)).join('\n')

const readOnly = (text: string): TranscriptSession => {
  const [session] = fromTranscript(text).sessions
  if (session === undefined) throw new Error('no session')
  return session
}

const texts = (session: TranscriptSession): readonly unknown[] =>
  currentBranch(session).map(({ content }) => (content[0]?.type === 'text' ? content[0].text : undefined))

/** Damaged lines: the messages of the current branch, the number of all messages, and the issues. */
const damaged: {
  readonly [title: string]: readonly [
    text: string,
    branch: readonly string[],
    count: number,
    issues: readonly string[],
  ]
} = {
  'a last line that was cut off': [
    `${toLines([record('a', null), record('b', 'a')])}\n{"type":"us`,
    ['a', 'b'],
    2,
    ['3 not-json'],
  ],
  'a line that is no object': [
    `${toLines([record('a', null)])}\n42\n\n"text"`,
    ['a'],
    1,
    ['2 not-json', '4 not-json'],
  ],
  'a missing parent': [toLines([record('a', null), record('b', 'gone')]), ['b'], 2, ['2 missing-parent']],
  'its own parent': [toLines([record('a', 'a'), record('b', 'a')]), ['a', 'b'], 2, ['1 cyclic']],
  'parents in a circle': [
    toLines([record('a', 'c'), record('b', 'a'), record('c', 'b')]),
    ['b', 'c'],
    3,
    ['2 cyclic'],
  ],
  'a parent after its child': [
    toLines([record('b', 'a'), record('a', null), record('c', 'b')]),
    ['a', 'b', 'c'],
    3,
    [],
  ],
  'an id twice': [
    toLines([record('a', null), record('b', 'a'), record('a', 'b')]),
    ['a', 'b'],
    2,
    ['3 conflict'],
  ],
  'an answer with too many parts': [
    toLines([
      record('a', null),
      record('b', 'a', {
        type: 'assistant',
        message: {
          role: 'assistant',
          content: Array.from({ length: 10_001 }, () => ({ type: 'text', text: '' })),
        },
      }),
      record('c', 'b'),
    ]),
    ['a', 'c'],
    2,
    ['2 too-many-elements'],
  ],
  'keys that change prototypes': [
    `{"__proto__":{"polluted":1},${JSON.stringify(record('a', null)).slice(1)}\n${toLines([record('__proto__', 'a'), record('constructor', '__proto__')])}`,
    ['a', '__proto__', 'constructor'],
    3,
    [],
  ],
  'ids that cannot be stored': [
    toLines([record('x'.repeat(300), null), record('b', 'x'.repeat(300))]),
    ['x'.repeat(300), 'b'],
    2,
    [],
  ],
}

test.each(Object.entries(damaged))('%s', async (_, [text, branch, count, issues]) => {
  const transcript = fromTranscript(text)
  const session = readOnly(text)
  expect(texts(session)).toEqual(branch)
  expect(session.sections[0]?.messages).toHaveLength(count)
  expect(transcript.issues.map(({ line, code }) => `${line} ${code}`)).toEqual(issues)
  expect(Object.keys({})).toEqual([])
  expect(({} as JsonObject)['polluted']).toBeUndefined()
  const storage = memoryStorage()
  const { id } = await storage.importSession(toSessionLines(session))
  expect((await storage.messages(id)).size).toBe(branch.length)
})

test('text without any record is an error', () => {
  expect(() => fromTranscript('{"type":"us')).toThrow(/text without a JSON object/)
  expect(() => fromTranscript('')).toThrow(/no records/)
  expect(() => fromTranscript('plain text')).toThrow(/text without a JSON object/)
})

/** Every line of every sample, damaged in these ways, never prevents the other lines from being read. */
const damages: readonly ((value: JsonObject) => unknown)[] = [
  () => null,
  () => ({}),
  (value) => ({
    ...value,
    message: 5,
    payload: 'x',
    content: { deep: true },
    id: 7,
    uuid: [],
    toolCalls: 1,
    parts: '',
  }),
  (value) =>
    Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, typeof each === 'object' ? [each] : { each }]),
    ),
]

test.each(
  Object.entries(samples).filter(([, [, input]]) => typeof input === 'string' && !input.startsWith('{\n')),
)('a damaged line of %s', (_, [format, input]) => {
  const text = typeof input === 'string' ? input.trim() : ''
  const lines = (
    text.startsWith('[') ? JSON.parse(text) : text.split('\n').map((line): unknown => JSON.parse(line))
  ) as readonly JsonObject[]
  for (const [index, line] of lines.entries())
    for (const damage of damages) {
      const { sessions } = fromTranscript(toLines(lines.with(index, damage(line) as JsonObject)), {
        from: format,
      })
      const total = sessions.reduce((sum, { sections, records }) => sum + sections.length + records.length, 0)
      expect(total).toBeGreaterThan(0)
    }
})

/** Returns the processor time that a function takes: the shortest of two runs. */
function measure(act: () => unknown): number {
  return Math.min(
    ...[1, 2].map(() => {
      const start = process.cpuUsage()
      act()
      const { user, system } = process.cpuUsage(start)
      return user + system
    }),
  )
}

/** Large transcripts: the number of messages is `size`. */
const large: { readonly [title: string]: (size: number) => string } = {
  'branches of one message': (size) =>
    toLines([
      record('root', null),
      ...Array.from({ length: size }, (_, index) => record(`m${index}`, 'root')),
    ]),
  'one long branch': (size) =>
    toLines(
      Array.from({ length: size }, (_, index) => record(`m${index}`, index === 0 ? null : `m${index - 1}`)),
    ),
  'parents after their children': (size) =>
    toLines(Array.from({ length: size }, (_, index) => record(`m${index}`, `m${index + 1}`))),
  'blocks of one answer': (size) =>
    toLines(
      Array.from({ length: size }, (_, index) =>
        record(`m${index}`, index === 0 ? null : `m${index - 1}`, {
          type: 'assistant',
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            content: [{ type: 'text', text: `t${index}` }],
          },
        }),
      ),
    ),
  'rewound messages': (size) =>
    toLines([
      { sessionId: 's', projectHash: 'h' },
      ...Array.from({ length: size / 2 }, (_, index) => [
        { id: `m${index}`, type: 'user', timestamp: '2026-01-01T00:00:00Z', content: 'Hi' },
        { id: `n${index}`, type: 'user', timestamp: '2026-01-01T00:00:00Z', content: 'Ho' },
        { $rewindTo: `n${index}` },
      ]).flat(),
    ]),
}

const SIZE = process.env['SOAK'] === undefined ? 100 : 25_000

test.each(Object.entries(large))('the work for %s grows with the size', (_, create) => {
  const [small, big] = [create(SIZE), create(SIZE * 4)]
  // A busy machine disturbs single measurements: the best of several attempts counts.
  const ratios = Array.from(
    { length: 3 },
    () => measure(() => fromTranscript(big)) / measure(() => fromTranscript(small)),
  )
  expect(Math.min(...ratios)).toBeLessThan(12)
})
