// Formats without a role for tools: results are blocks of the user, beside other content.
import {
  type ChatRequest,
  dialects,
  type DialectName,
  type JsonObject,
  Messages,
  toolCallsOf,
  translateRequest,
  user,
} from 'interlingua'
import {
  createBlockCodec,
  createSseFraming,
  defineDialect,
  directSetting,
  readText,
  readTool,
  readToolCall,
  readToolResult,
  valueChecks,
} from 'interlingua/dialects/kit'
import { dialectConformanceTests } from 'interlingua/dialects/testing'
import { describe, expect, test } from 'vitest'

const quill = defineDialect(
  createBlockCodec({
    name: 'quill',
    endpoint: '/compose',
    request: {
      model: 'scribe',
      messages: 'letters',
      tools: 'instruments',
      settings: { stream: directSetting('flowing', valueChecks.boolean) },
    },
    message: {
      role: 'from',
      content: 'folios',
      roles: [
        ['reader', 'user'],
        ['scribe', 'assistant'],
      ],
    },
    blocks: {
      type: 'tag',
      parts: {
        text: { type: 'prose', decode: ({ ink }) => readText(ink), encode: ({ text }) => ({ ink: text }) },
        'tool-call': {
          type: 'errand',
          decode: ({ slip, to, fittings }) => readToolCall(slip, to, fittings),
          encode: (call, { writeArguments }) => ({
            slip: call.id,
            to: call.name,
            fittings: writeArguments(call),
          }),
        },
        'tool-result': {
          type: 'done',
          decode: ({ slip, brought }) => readToolResult(slip, brought),
          encode: ({ callId, content }, { writeText }) => ({ slip: callId, brought: writeText(content) }),
        },
      },
    },
    tool: {
      decode: ({ called, purpose, shape }) => readTool(called, purpose, shape),
      encode: ({ name, description, input }) => ({
        called: name,
        ...(description !== undefined && { purpose: description }),
        shape: input,
      }),
    },
    response: { id: 'id', content: 'folios', finish: 'sealed' },
    finishReasons: [
      ['complete', 'stop'],
      ['errands', 'tool-calls'],
    ],
    stream: {
      framing: createSseFraming(),
      read: () => [],
      writeStart: (fields) => ({ act: 'start', ...fields }),
      writeBlock: (leaf, folio) => ({ act: 'open', leaf, folio }),
      writePiece: (leaf, mark) => ({ act: 'more', leaf, mark }),
      writeBlockEnd: (leaf) => ({ act: 'close', leaf }),
      writeFinish: (fields) => ({ act: 'end', ...fields }),
    },
  }),
)

const prose = (ink: string): JsonObject => ({ tag: 'prose', ink })
const errand = (slip: string): JsonObject => ({ tag: 'errand', slip, to: 'weather', fittings: {} })
const done = (slip: string): JsonObject => ({ tag: 'done', slip, brought: `Rain ${slip}` })
const unknown = { tag: 'wax', colour: 'red' }

/** Returns a body whose second message of the user has these blocks. */
const createBody = (...folios: readonly JsonObject[]): JsonObject => ({
  scribe: 'quill-2',
  letters: [
    { from: 'reader', folios: [prose('Hi')] },
    { from: 'scribe', folios: [errand('a'), errand('b')] },
    { from: 'reader', folios, sealed: true },
    { from: 'scribe', folios: [prose('It rains.')] },
  ],
})

/** The blocks of the user, and the messages that they are. */
const mixtures: { readonly [name: string]: readonly [folios: readonly JsonObject[], roles: string] } = {
  results: [[done('a'), done('b')], 'tool'],
  'results before text': [[done('a'), done('b'), prose('So?'), prose('And?')], 'tool user'],
  'results around text': [[done('a'), prose('So?'), done('b')], 'tool user tool'],
  'results after text': [[prose('Look.'), done('a'), done('b')], 'user tool'],
  'an unknown block among results': [[done('a'), unknown, done('b')], 'tool'],
  'an unknown block first': [[unknown, done('a'), done('b')], 'user tool'],
  'no block': [[], 'user'],
}

describe.each(Object.entries(mixtures))('%s', (_name, [folios, roles]) => {
  const body = createBody(...folios)
  const decode = (): ChatRequest => quill.decodeRequest(body).value

  test('are messages of their own, and one message in the format', () => {
    const request = decode()
    expect([...request.messages].map(({ role }) => role).join(' ')).toBe(`user assistant ${roles} assistant`)
    expect(JSON.stringify(request.messages)).not.toContain('$message')
    expect(quill.encodeRequest(request)).toEqual({ value: body, losses: [] })
    const stored = JSON.parse(JSON.stringify(request)) as ChatRequest
    expect(quill.encodeRequest(stored).value).toEqual(body)
  })

  test('are the same in the text of a conversation that grows', () => {
    const { messages, ...request } = decode()
    let growing = Messages.from([])
    for (const message of messages) {
      growing = growing.append(message)
      const whole = quill.encodeRequest({ ...request, messages: [...growing] }).value
      expect(JSON.parse(quill.encodeRequestText({ ...request, messages: growing }).value)).toEqual(whole)
    }
  })
})

/** What no other format has, or does not know of the model. */
const expectedLosses: ReadonlySet<string> = new Set(['foreign-residue', 'guessed-max-tokens'])

test.each(Object.keys(dialects) as DialectName[])('results before text reach %s', (to) => {
  const [folios] = mixtures['results before text'] ?? [[]]
  const { value, losses } = translateRequest(createBody(...folios), { from: quill, to, model: 'm' })
  const text = JSON.stringify(value)
  for (const expected of ['Rain a', 'Rain b', 'So?', 'And?']) expect(text).toContain(expected)
  expect(losses.filter(({ severity, rule }) => severity === 'loss' && !expectedLosses.has(rule))).toEqual([])
})

test('a message is separate after the results before it were removed, and from messages of others', () => {
  const { messages, ...request } = quill.decodeRequest(createBody(done('a'), done('b'), prose('So?'))).value
  const [first, call, results, question] = [...messages]
  if (!first || !call || !results || !question) throw new Error('too few messages')
  const encode = (kept: ChatRequest['messages']): unknown =>
    quill.encodeRequest({ ...request, messages: kept }).value
  expect(encode([first, question])).toMatchObject({ letters: [{ folios: [prose('Hi'), prose('So?')] }] })
  expect(toolCallsOf(call)).toHaveLength(2)
  expect(encode([first, call, results, user('Other')])).toMatchObject({
    letters: [{}, {}, { folios: [done('a'), done('b')] }, { folios: [prose('Other')] }],
  })
})

describe('the format passes the conformance suite', () => {
  const samples = {
    requests: Object.values(mixtures).map(([folios]) => createBody(...folios)),
    responses: [{ id: 'r', folios: [prose('Hi'), errand('a')], sealed: 'errands' }],
  }
  const laws = ['exact', 'edit-safe', 'no-silent-loss', 'pure'] as const
  for (const { name, run } of dialectConformanceTests({ dialect: quill, samples, laws, runs: 5 }))
    test(name, run)
})
