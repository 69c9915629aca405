import {
  assistant,
  type AssistantMessage,
  type AssistantPart,
  type ChatEvent,
  editPart,
  emit,
  file,
  type Loss,
  reasoning,
  refusal,
  text,
  toolCall,
  toolResult,
  toolResults,
} from 'interlingua'
import { toAgUi } from 'interlingua/formats/ag-ui'
import { toUIMessageStream, type UiEvent } from 'interlingua/formats/ai-sdk-ui'
import { describe, expect, test } from 'vitest'
import { losses as agUiRules } from '../../src/formats/ag-ui/rules.ts'
import { losses as aiSdkRules } from '../../src/formats/ai-sdk-ui/rules.ts'
import { collect } from './runs.ts'

type Format = 'ai-sdk-ui' | 'ag-ui'

const formats: {
  readonly [name in Format]: (
    events: Iterable<UiEvent>,
    onLoss: (loss: Loss) => void,
  ) => AsyncIterable<unknown>
} = {
  'ai-sdk-ui': (events, onLoss) => toUIMessageStream(events, { onLoss }),
  'ag-ui': (events, onLoss) => toAgUi(events, { threadId: 't', runId: 'r', opaque: 'drop', onLoss }),
}

async function lossesOf(format: Format, events: Iterable<UiEvent>): Promise<string[]> {
  const found: string[] = []
  await collect(formats[format](events, ({ rule, path }) => void found.push(`${rule} ${path}`)))
  return found
}

const told = (parts: readonly AssistantPart[], fields: Partial<AssistantMessage> = {}): ChatEvent[] => {
  const message = assistant(parts)
  return emit({ candidates: [{ ...message, ...fields }] }).map((event) =>
    event.type === 'start' ? { type: 'start' as const } : event,
  )
}

const begun: readonly ChatEvent[] = [
  { type: 'start' },
  { type: 'part-start', index: 0, part: { type: 'text', text: '' } },
]
const ended: readonly ChatEvent[] = [
  { type: 'part-end', index: 0 },
  { type: 'finish', finish: { reason: 'stop' } },
]
const call = toolCall({ id: 'c', name: 'f' })
const signed = text('Hi', { signature: { maker: 'google', value: 'sig' } })
const here = '/steps/0/candidates/0/content/0'
const both: readonly Format[] = ['ai-sdk-ui', 'ag-ui']

/** One row for each rule: what makes it act, and where it says it did. */
const rows: readonly (readonly [
  rule: string,
  formats: readonly Format[],
  events: readonly UiEvent[],
  path: string,
])[] = [
  [
    'candidates-dropped',
    both,
    [...begun, { type: 'text-delta', index: 0, text: 'x', candidate: 1 }, ...ended],
    '/steps/0/candidates/1',
  ],
  [
    'foreign-residue',
    both,
    [
      ...begun,
      { type: 'text-delta', index: 0, text: 'x', extra: { 'openai-chat': { logprobs: [1] } } },
      ...ended,
    ],
    `${here}/extra/openai-chat/logprobs`,
  ],
  ['cache-hint', both, told([text('x', { cache: {} })]), `${here}/cache`],
  [
    'signature-dropped',
    both,
    told([{ type: 'opaque', dialect: 'd', value: 1, signature: { maker: 'm', value: 'v', of: 'x' } }]),
    here,
  ],
  ['stale-signature', both, told([editPart(signed, { text: 'Ho' })]), here],
  ['refusal-as-text', both, told([refusal('No.')]), here],
  ['call-id-repeated', both, told([call, call]), '/steps/0/candidates/0/content/1/id'],
  [
    'result-replaced',
    both,
    [...told([call]), toolResults(toolResult(call, 1)), toolResults(toolResult(call, 2))],
    '/steps/0/results/content/0',
  ],
  ['late-delta', both, [...begun, ...ended, { type: 'text-delta', index: 0, text: 'x' }], here],
  [
    'late-delta',
    both,
    [...begun, { type: 'arguments-delta', index: 1, json: '{' }, ...ended],
    '/steps/0/candidates/0/content/1',
  ],
  [
    'restated',
    both,
    [
      ...begun,
      { type: 'text-delta', index: 0, text: 'x' },
      { type: 'part-end', index: 0, restated: true, part: text('y') },
    ],
    here,
  ],
  ['restated', both, [...begun, { type: 'part-end', index: 0, restated: true, part: reasoning('y') }], here],
  ['restarted', both, [...begun, ...begun, ...ended], '/steps/0'],
  ['foreign-opaque', both, told([{ type: 'opaque', dialect: 'd', value: 1 }]), here],
  ['opaque-event', both, [{ type: 'opaque', dialect: 'd', value: 1 }], '/steps/0'],
  [
    'foreign-citation',
    ['ai-sdk-ui'],
    told([text('x', { citations: [{ type: 'opaque', dialect: 'd', value: 1 }] })]),
    `${here}/citations/0`,
  ],
  ['message-metadata', ['ai-sdk-ui'], [{ type: 'start', model: 'm' }], '/steps/0/model'],
  [
    'finish-approximated',
    ['ai-sdk-ui'],
    [{ type: 'finish', finish: { reason: 'pause' } }],
    '/steps/0/candidates/0/finish',
  ],
  [
    'file-reference',
    ['ai-sdk-ui'],
    told([{ type: 'file', source: { kind: 'id', id: 'f', provider: 'p' } }]),
    here,
  ],
  [
    'media-type',
    ['ai-sdk-ui'],
    told([{ type: 'image', source: { kind: 'url', url: 'https://example.com/a' } }]),
    `${here}/mediaType`,
  ],
  [
    'source-synthesized',
    ['ai-sdk-ui'],
    told([text('x', { citations: [{ type: 'source', document: 0 }] })]),
    `${here}/citations/0`,
  ],
  ['orphan-result', ['ai-sdk-ui'], [toolResults(toolResult('c', 1))], '/steps/0/results/content/0'],
  [
    'error-as-text',
    ['ai-sdk-ui'],
    [...told([call]), toolResults(toolResult(call, { no: 1 }, { isError: true }))],
    '/steps/0/results/content/0',
  ],
  [
    'forbidden-key',
    ['ai-sdk-ui'],
    told([toolCall({ id: 'c', name: 'f', arguments: '{"__proto__":1}' })]),
    `${here}/arguments`,
  ],
  [
    'media-as-custom',
    ['ag-ui'],
    told([{ type: 'image', source: { kind: 'url', url: 'https://example.com/a' } }]),
    here,
  ],
  [
    'citations-as-metadata',
    ['ag-ui'],
    told([text('x', { citations: [{ type: 'source', url: 'https://example.com' }] })]),
    `${here}/citations`,
  ],
  [
    'call-name',
    ['ag-ui'],
    [
      { type: 'start' },
      { type: 'part-start', index: 0, part: call },
      { type: 'part-end', index: 0, part: { ...call, name: 'g' } },
    ],
    here,
  ],
  ['invalid-arguments', ['ag-ui'], told([toolCall({ id: 'c', name: 'f', arguments: '{' })]), here],
  ['provider-call', ['ag-ui'], told([toolCall({ id: 'c', name: 'f', executedBy: 'provider' })]), here],
  [
    'error-as-metadata',
    ['ag-ui'],
    [...told([call]), toolResults(toolResult(call, 'no', { isError: true }))],
    '/steps/0/results/content/0/isError',
  ],
  [
    'json-as-text',
    ['ag-ui'],
    [...told([call]), toolResults(toolResult(call, { a: 1 }))],
    '/steps/0/results/content/0/content/0',
  ],
  [
    'media-as-text',
    ['ag-ui'],
    [...told([call]), toolResults(toolResult(call, [file({ text: 'x' })]))],
    '/steps/0/results/content/0/content/0',
  ],
  [
    'message-field',
    ['ag-ui'],
    [{ type: 'start', message: { parentId: 'p' } }],
    '/steps/0/candidates/0/parentId',
  ],
]

describe('what a UI cannot be told', () => {
  const cases = rows.flatMap(([rule, names, events, path]) =>
    names.map((format) => ({ rule, format, events, path })),
  )

  test.each(cases)('$rule is reported by $format', async ({ rule, format, events, path }) => {
    expect(await lossesOf(format, events)).toContain(`${rule} ${path}`)
  })

  test.each([
    ['ai-sdk-ui', aiSdkRules],
    ['ag-ui', agUiRules],
  ] as const)('every rule of %s has its case', (format, rules) => {
    const shown = new Set(rows.filter(([, names]) => names.includes(format)).map(([rule]) => rule))
    expect(Object.keys(rules).filter((rule) => !shown.has(rule))).toEqual([])
    expect([...shown].filter((rule) => !(rule in rules))).toEqual([])
  })

  test.each(both)('a plain answer costs nothing in %s', async (format) => {
    const events = told([reasoning('Hm.'), text('Hi'), call], { finish: { reason: 'tool-calls' } })
    expect(await lossesOf(format, [...events, toolResults(toolResult(call, 'done'))])).toEqual([])
  })

  test('is told once for each place', async () => {
    const extra = { 'openai-chat': { obfuscation: 'x' } }
    const deltas = Array.from({ length: 5 }, (): ChatEvent => ({
      type: 'text-delta',
      index: 0,
      text: 'x',
      extra,
    }))
    expect(await lossesOf('ai-sdk-ui', [...begun, ...deltas, ...ended])).toEqual([
      `foreign-residue ${here}/extra/openai-chat/obfuscation`,
    ])
  })

  test('losses from before are passed on', async () => {
    const loss: Loss = { path: '/a', action: 'dropped', severity: 'loss', rule: 'r', reason: 'x' }
    expect(await lossesOf('ag-ui', [{ type: 'loss', loss }])).toEqual(['r /a'])
  })

  test('a loss may be refused, a note may not; the source is let go', async () => {
    let closed = false
    async function* source(): AsyncGenerator<ChatEvent> {
      try {
        yield* begun
        yield { type: 'text-delta', index: 0, text: 'x', candidate: 1 }
        yield* ended
      } finally {
        closed = true
      }
    }
    await expect(collect(toUIMessageStream(source(), { onLoss: 'error' }))).rejects.toMatchObject({
      code: 'loss-refused',
      path: '/steps/0/candidates/1',
    })
    expect(closed).toBe(true)
    const chunks = await collect(toUIMessageStream(told([refusal('No.')]), { onLoss: () => 'error' }))
    expect(chunks.map(({ type }) => type)).toContain('text-delta')
  })
})
