import {
  assistant,
  type LossRule,
  type AssistantMessage,
  type AssistantPart,
  type ChatEvent,
  updatePart,
  toEvents,
  file,
  reasoning,
  refusal,
  text,
  toolCall,
  type ToolCallPart,
  toolResult,
  toolResults,
} from 'interlingua'
import type { UiEvent } from 'interlingua/formats/ai-sdk-ui'

export type Format = 'ai-sdk-ui' | 'ag-ui'

export const told = (
  parts: readonly AssistantPart[],
  fields: Partial<AssistantMessage> = {},
): ChatEvent[] => {
  const message = assistant(parts)
  return toEvents({ candidates: [{ ...message, ...fields }] }).map((event) =>
    event.type === 'start' ? { type: 'start' as const } : event,
  )
}

export const begun: readonly ChatEvent[] = [
  { type: 'start' },
  { type: 'part-start', index: 0, part: { type: 'text', text: '' } },
]
export const ended: readonly ChatEvent[] = [
  { type: 'part-end', index: 0 },
  { type: 'finish', finish: { reason: 'stop' } },
]
export const call: ToolCallPart = toolCall({ id: 'c', name: 'f' })
const signed = text('Hi', { signature: { vendor: 'google', value: 'sig' } })
export const here = '/steps/0/candidates/0/content/0'
const resigned: ChatEvent = { type: 'part-update', index: 0, signature: { vendor: 'openai', value: 'new' } }
const picture: AssistantPart = { type: 'image', source: { kind: 'url', url: 'https://example.com/a' } }
export const both: readonly Format[] = ['ai-sdk-ui', 'ag-ui']

/** One row for each rule: what makes it act, and where it says it did. */
export const rows: readonly (readonly [
  rule: LossRule,
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
  [
    'foreign-metadata',
    both,
    [
      ...begun,
      { type: 'text-delta', index: 0, text: 'x', extra: { 'openai-chat': { system_fingerprint: 'fp' } } },
      ...ended,
    ],
    `${here}/extra/openai-chat/system_fingerprint`,
  ],
  ['cache-hint', both, told([text('x', { cache: {} })]), `${here}/cache`],
  [
    'signature-dropped',
    both,
    told([
      { type: 'opaque', dialect: 'd', value: 1, signature: { vendor: 'm', value: 'v', contentDigest: 'x' } },
    ]),
    here,
  ],
  ['stale-signature', both, told([updatePart(signed, { text: 'Ho' })]), here],
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
      { type: 'part-end', index: 0, replaces: true, part: text('y') },
    ],
    here,
  ],
  ['restated', both, [...begun, { type: 'part-end', index: 0, replaces: true, part: reasoning('y') }], here],
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
    'media-type-added',
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
  ['result-without-call', ['ai-sdk-ui'], [toolResults(toolResult('c', 1))], '/steps/0/results/content/0'],
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
  ['call-invalid', ['ag-ui'], told([toolCall({ id: 'c', name: 'f', arguments: '{' })]), here],
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
  ['late-signature', ['ai-sdk-ui'], [...begun, ...ended, resigned], here],
  [
    'late-signature',
    ['ag-ui'],
    [{ type: 'part-start', index: 0, part: picture }, { type: 'part-end', index: 0 }, resigned],
    here,
  ],
  [
    'late-citations',
    ['ag-ui'],
    [
      ...begun,
      ...ended,
      { type: 'part-update', index: 0, citations: [{ type: 'source', url: 'https://example.com' }] },
    ],
    `${here}/citations`,
  ],
  [
    'restated',
    both,
    [...begun, ...ended, { type: 'part-end', index: 0, replaces: true, part: text('y') }],
    here,
  ],
  [
    'message-field',
    ['ag-ui'],
    [{ type: 'start', message: { parentId: 'p' } }],
    '/steps/0/candidates/0/parentId',
  ],
]
