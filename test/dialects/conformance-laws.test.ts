import type { JsonObject } from 'interlingua'
import { ollamaDialect } from 'interlingua/dialects/ollama'
import {
  dialectConformanceTests,
  type DialectUnderTest,
  runDialectConformance,
} from 'interlingua/dialects/testing'
import { describe, expect, test } from 'vitest'
import { bodyMistakes } from './body-mistakes.ts'
import { breakDialect } from './dialect-mistakes.ts'
import { streamMistakes } from './stream-mistakes.ts'

const mistakes = { ...bodyMistakes, ...streamMistakes }

const tools: JsonObject = {
  model: 'llama',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is the weather?' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: { city: 'Oslo' } } }],
    },
    { role: 'tool', content: 'Snow', tool_name: 'weather', tool_call_id: 'call_1' },
  ],
  options: { temperature: 0.5 },
  stream: false,
  keep_alive: '5m',
}

const call: JsonObject = {
  model: 'llama',
  created_at: '2026-08-07T06:08:14.732370159Z',
  message: {
    role: 'assistant',
    content: 'Let me look',
    tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: { city: 'Oslo' } } }],
  },
  done: true,
  done_reason: 'stop',
  prompt_eval_count: 26,
  eval_count: 12,
}

const chunk = (fields: JsonObject): string =>
  `${JSON.stringify({ model: 'llama', created_at: '2026-08-07T06:08:14.7Z', ...fields })}\n`

const hello = [
  ...['Hello, ', 'how are ', 'you?'].map((content) =>
    chunk({ message: { role: 'assistant', content }, done: false }),
  ),
  chunk({
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 26,
    eval_count: 12,
  }),
].join('')

const subject: DialectUnderTest = {
  dialect: ollamaDialect,
  samples: { requests: { tools }, responses: { call }, streams: { hello } },
  validate: {
    request: { type: 'object', required: ['model', 'messages'] },
    response: { type: 'object', required: ['message', 'done'] },
    streamPayload: (body) => (typeof body['done'] === 'boolean' ? [] : ['done is missing']),
  },
  runs: 3,
}

test('a dialect without mistakes passes every law, and the report says what was not tested', async () => {
  const { validate: _validate, ...unvalidated } = subject
  const all = new Set(dialectConformanceTests(subject).map(({ law }) => law))
  // Work is measured below: it takes the most time.
  const laws = [...all].filter((law) => law !== 'linear-work')
  const report = await runDialectConformance({ ...unvalidated, laws })
  expect(report.text).toBe(
    [
      `ollama: ${report.results.length} of ${report.results.length} tests passed, 0 failed.`,
      '',
      'Not tested:',
      '  the validity of requests: pass `validate.request`',
      '  the validity of responses: pass `validate.response`',
      '  the validity of the payloads of streams: pass `validate.streamPayload`',
    ].join('\n'),
  )
  expect(report).toMatchObject({ passed: true })
})

describe('each mistake is found by the law that it breaks', () => {
  for (const [name, { law, mistake, report }] of Object.entries(mistakes)) {
    // A busy machine may hide slow work from one measurement.
    test(`a dialect that ${name}`, { retry: law === 'linear-work' ? 3 : 0 }, async () => {
      const broken = { ...subject, dialect: breakDialect(mistake) }
      const messages: string[] = []
      const isExpected = (message: string): boolean =>
        report.every((text) => (typeof text === 'string' ? message.includes(text) : text.test(message)))
      for (const each of dialectConformanceTests({ ...broken, laws: [law] })) {
        // The other checks of the law take long, and say nothing more.
        if (messages.some(isExpected)) break
        await each.run().catch((error: unknown) => {
          expect(error).toMatchObject({ name: 'ConformanceError' })
          messages.push((error as Error).message)
        })
      }
      const text = `no message contains ${report.join(', ')}:\n${messages.slice(0, 5).join('\n\n')}`
      expect(messages.some(isExpected), text).toBe(true)
    })
  }

  test('every law has a mistake that breaks it', () => {
    // Samples are not part of a dialect; the last test has none.
    const all = dialectConformanceTests(subject).map(({ law }) => law)
    const laws = new Set(all.filter((law) => law !== 'samples'))
    const broken = new Set(Object.values(mistakes).map(({ law }) => law))
    expect([...laws].filter((law) => !broken.has(law))).toEqual([])
  })
})

test('the report of a broken dialect names the law, the sample, the path, what was found and what to do', async () => {
  const { mistake } = mistakes['drops an unknown field of a request'] ?? { mistake: {} }
  const report = await runDialectConformance({ ...subject, dialect: breakDialect(mistake), laws: ['exact'] })
  expect(report.passed).toBe(false)
  expect(report.text).toContain(`
FAILED exact: request "tools" is encoded as it was received
  request "tools": the encoded body differs from the received body
    law:        A body is encoded exactly as it was received, without losses, also after it was stored as JSON.
    path:       /keep_alive
    found:      nothing
    expected:   "5m"
    likely in:  decodeRequest and requestWriter (block format: request, message, blocks, tool)
    what to do: Keep the difference between what the encoder writes and what was received: \`withResidue\` in the decoder, \`applyResidue\` in the encoder. In a block format, return undefined from \`decode\` for a block that \`encode\` cannot write.
`)
})

describe('a subject that is not described correctly is rejected', () => {
  test.each([
    [undefined, ''],
    [{ samples: {} }, '/dialect'],
    [{ dialect: ollamaDialect }, '/samples'],
    [{ dialect: ollamaDialect, samples: { requests: 'x', responses: {} } }, '/samples/requests'],
    [{ dialect: ollamaDialect, samples: { requests: { a: 'x' }, responses: {} } }, '/samples/requests/a'],
    [{ ...subject, samples: { ...subject.samples, streams: { a: {} } } }, '/samples/streams/a'],
    [{ ...subject, runs: -1 }, '/runs'],
    [{ ...subject, laws: 'exact' }, '/laws'],
    [{ ...subject, laws: ['exact', 'fast'] }, '/laws/1'],
    [{ ...subject, seed: 0.5 }, '/seed'],
  ])('%#', (given, path) => {
    expect(() => dialectConformanceTests(given as DialectUnderTest)).toThrow(
      expect.objectContaining({ code: 'invalid-type', path }) as Error,
    )
  })

  test('one without samples fails, because most laws would have nothing to check', async () => {
    const report = await runDialectConformance({
      ...subject,
      samples: { requests: {}, responses: {} },
      laws: ['samples'],
    })
    expect(report.text).toContain('there is no sample request, so that')
  })
})
