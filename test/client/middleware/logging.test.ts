import { assistant, ProviderError, toolCall, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { fallback } from '../../../src/client/middleware/fallback.ts'
import { logging, type LogEntry } from '../../../src/client/middleware/logging.ts'
import { wrapModel } from '../../../src/client/middleware/middleware.ts'
import { scripted } from '../../../src/client/scripted-model.ts'

const CANARY = 'sk-canary-1234567890'
const request = { messages: [user(`My key is ${CANARY}`)], tools: [], metadata: { secret: CANARY } }
const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 }

function logged(): { readonly entries: LogEntry[]; readonly log: (entry: LogEntry) => void } {
  const entries: LogEntry[] = []
  return { entries, log: (entry) => entries.push(entry) }
}

describe.each([
  ['whole', false],
  ['streamed', true],
])('%s', (_how, streamed) => {
  test('a call is logged when it starts and when it ends', async () => {
    const { entries, log } = logged()
    const model = wrapModel(scripted([`You said ${CANARY}`], { usage }), logging({ log }))
    await (streamed ? model.stream(request).reply : model.generate(request))
    const about = { provider: 'scripted', model: 'scripted', isStreamed: streamed }
    expect(entries).toMatchObject([
      { event: 'request', ...about, messageCount: 1, toolCount: 0 },
      {
        event: 'response',
        ...about,
        inputTokens: 3,
        outputTokens: 2,
        finish: 'stop',
        lossCount: 0,
        attempts: 1,
      },
    ])
    expect(entries[1]?.totalMs).toBeTypeOf('number')
  })

  test('[S21] no text of the conversation gets into the log, however the call ends', async () => {
    const { entries, log } = logged()
    const error = new ProviderError(`Wrong key ${CANARY}`, {
      kind: 'authentication',
      status: 401,
      requestId: 'req_1',
      param: CANARY,
      body: { echo: CANARY },
      cause: new Error(CANARY),
    })
    const model = wrapModel(
      scripted([CANARY, error, { reply: `a ${CANARY}`, breakAfterEvents: 3, error }, new TypeError(CANARY)]),
      logging({ log }),
    )
    for (let count = 0; count < 4; count++)
      await (streamed ? model.stream(request).reply : model.generate(request)).catch(() => {})
    expect(entries.map(({ event }) => event).join(' ')).toBe(
      'request response request error request error request error',
    )
    const failure = { code: 'provider-error', kind: 'authentication', status: 401, requestId: 'req_1' }
    expect(entries[3]).toMatchObject(failure)
    expect(entries[5]).toMatchObject(failure)
    expect(entries[7]).toMatchObject({ code: 'unknown' })
    expect(JSON.stringify(entries)).not.toContain('canary')
  })

  test('contents are logged only with includeContents', async () => {
    const { entries, log } = logged()
    const model = wrapModel(scripted(['Hello', new Error('why')]), logging({ log, includeContents: true }))
    for (let count = 0; count < 2; count++)
      await (streamed ? model.stream(request).reply : model.generate(request)).catch(() => {})
    expect(JSON.stringify(entries[0])).toContain(CANARY)
    expect(entries[1]?.response?.candidates.length).toBe(1)
    expect(entries[3]?.message).toContain('why')
  })
})

test('logged contents have neither residue nor signatures, and what is sent has both', async () => {
  const { entries, log } = logged()
  const extra = { gemini: { own: 1, $: { hints: { emptyText: true } } } }
  const call = {
    ...toolCall({
      name: 'f',
      arguments: { extra: 'argument' },
      signature: { vendor: 'google', value: 'token' },
    }),
    extra,
  }
  const asked = { messages: [user('Go'), assistant([call])], extra }
  const model = scripted([assistant([call])])
  await wrapModel(model, logging({ log, includeContents: true })).generate(asked)
  expect(entries[0]?.request?.messages).toMatchObject([{ role: 'user' }, { content: [{ name: 'f' }] }])
  expect(entries[1]?.response?.candidates).toMatchObject([
    { content: [{ arguments: { extra: 'argument' } }] },
  ])
  expect(JSON.stringify(entries)).not.toMatch(/token|own|hints|signature/)
  expect(JSON.stringify(model.requests[0])).toMatch(/token.*own.*hints/)
})

test('a stream that its reader leaves is logged as abandoned', async () => {
  const { entries, log } = logged()
  for await (const _event of wrapModel(scripted(['one two']), logging({ log })).stream(request)) break
  expect(entries.map(({ event }) => event)).toEqual(['request', 'abandoned'])
})

test('the model that responded is logged', async () => {
  const { entries, log } = logged()
  const other = scripted(['b'], { name: 'b', provider: 'p' })
  const error = new ProviderError('busy', { kind: 'overloaded' })
  await wrapModel(scripted([error]), logging({ log }), fallback([other])).generate(request)
  expect(entries[1]).toMatchObject({ event: 'response', servedBy: 'p:b' })
})
