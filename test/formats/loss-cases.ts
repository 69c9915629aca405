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
import type { RunEvent } from 'interlingua'

export type Format = 'ai-sdk-ui' | 'ag-ui'

export const streamParts = (
  parts: readonly AssistantPart[],
  fields: Partial<AssistantMessage> = {},
): ChatEvent[] => {
  const message = assistant(parts)
  return toEvents({ candidates: [{ ...message, ...fields }] }).map((event) =>
    event.type === 'start' ? { type: 'start' as const } : event,
  )
}

export const startEvents: readonly ChatEvent[] = [
  { type: 'start' },
  { type: 'part-start', index: 0, part: { type: 'text', text: '' } },
]
export const endEvents: readonly ChatEvent[] = [
  { type: 'part-end', index: 0 },
  { type: 'finish', finish: { reason: 'stop' } },
]
export const call: ToolCallPart = toolCall({ id: 'c', name: 'f' })
const signed = text('Hi', { signature: { vendor: 'google', value: 'sig' } })
export const partPointer = '/steps/0/candidates/0/content/0'
const resigned: ChatEvent = { type: 'part-update', index: 0, signature: { vendor: 'openai', value: 'new' } }
const picture: AssistantPart = { type: 'image', source: { kind: 'url', url: 'https://example.com/a' } }
export const both: readonly Format[] = ['ai-sdk-ui', 'ag-ui']

/** One row for each rule: the input that triggers it, and the path that it reports. */
export const rows: readonly (readonly [
  rule: LossRule,
  formats: readonly Format[],
  events: readonly RunEvent[],
  path: string,
])[] = [
  [
    'candidates-dropped',
    both,
    [...startEvents, { type: 'text-delta', index: 0, text: 'x', candidate: 1 }, ...endEvents],
    '/steps/0/candidates/1',
  ],
  [
    'foreign-residue',
    both,
    [
      ...startEvents,
      { type: 'text-delta', index: 0, text: 'x', extra: { 'openai-chat': { logprobs: [1] } } },
      ...endEvents,
    ],
    `${partPointer}/extra/openai-chat/logprobs`,
  ],
  [
    'foreign-metadata',
    both,
    [
      ...startEvents,
      { type: 'text-delta', index: 0, text: 'x', extra: { 'openai-chat': { provider: 'x' } } },
      ...endEvents,
    ],
    `${partPointer}/extra/openai-chat/provider`,
  ],
  ['cache-hint', both, streamParts([text('x', { cache: {} })]), `${partPointer}/cache`],
  [
    'signature-dropped',
    both,
    streamParts([
      { type: 'opaque', dialect: 'd', value: 1, signature: { vendor: 'm', value: 'v', contentDigest: 'x' } },
    ]),
    partPointer,
  ],
  ['stale-signature', both, streamParts([updatePart(signed, { text: 'Ho' })]), partPointer],
  ['refusal-as-text', both, streamParts([refusal('No.')]), partPointer],
  ['call-id-repeated', both, streamParts([call, call]), '/steps/0/candidates/0/content/1/id'],
  [
    'result-replaced',
    both,
    [...streamParts([call]), toolResults(toolResult(call, 1)), toolResults(toolResult(call, 2))],
    '/steps/0/results/content/0',
  ],
  [
    'late-delta',
    both,
    [...startEvents, ...endEvents, { type: 'text-delta', index: 0, text: 'x' }],
    partPointer,
  ],
  [
    'late-delta',
    both,
    [...startEvents, { type: 'arguments-delta', index: 1, json: '{' }, ...endEvents],
    '/steps/0/candidates/0/content/1',
  ],
  [
    'correction-omitted',
    both,
    [
      ...startEvents,
      { type: 'text-delta', index: 0, text: 'x' },
      { type: 'part-end', index: 0, replaces: true, part: text('y') },
    ],
    partPointer,
  ],
  [
    'correction-omitted',
    both,
    [...startEvents, { type: 'part-end', index: 0, replaces: true, part: reasoning('y') }],
    partPointer,
  ],
  ['restarted', both, [...startEvents, ...startEvents, ...endEvents], '/steps/0'],
  ['foreign-opaque', both, streamParts([{ type: 'opaque', dialect: 'd', value: 1 }]), partPointer],
  ['opaque-event', both, [{ type: 'opaque', dialect: 'd', value: 1 }], '/steps/0'],
  [
    'foreign-citation',
    ['ai-sdk-ui'],
    streamParts([text('x', { citations: [{ type: 'opaque', dialect: 'd', value: 1 }] })]),
    `${partPointer}/citations/0`,
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
    streamParts([{ type: 'file', source: { kind: 'id', id: 'f', provider: 'p' } }]),
    partPointer,
  ],
  [
    'media-type-added',
    ['ai-sdk-ui'],
    streamParts([{ type: 'image', source: { kind: 'url', url: 'https://example.com/a' } }]),
    `${partPointer}/mediaType`,
  ],
  [
    'source-synthesized',
    ['ai-sdk-ui'],
    streamParts([text('x', { citations: [{ type: 'source', document: 0 }] })]),
    `${partPointer}/citations/0`,
  ],
  ['result-without-call', ['ai-sdk-ui'], [toolResults(toolResult('c', 1))], '/steps/0/results/content/0'],
  [
    'error-as-text',
    ['ai-sdk-ui'],
    [...streamParts([call]), toolResults(toolResult(call, { no: 1 }, { isError: true }))],
    '/steps/0/results/content/0',
  ],
  [
    'forbidden-key',
    ['ai-sdk-ui'],
    streamParts([toolCall({ id: 'c', name: 'f', arguments: '{"__proto__":1}' })]),
    `${partPointer}/arguments`,
  ],
  [
    'media-as-custom',
    ['ag-ui'],
    streamParts([{ type: 'image', source: { kind: 'url', url: 'https://example.com/a' } }]),
    partPointer,
  ],
  [
    'citations-as-metadata',
    ['ag-ui'],
    streamParts([text('x', { citations: [{ type: 'source', url: 'https://example.com' }] })]),
    `${partPointer}/citations`,
  ],
  [
    'call-name',
    ['ag-ui'],
    [
      { type: 'start' },
      { type: 'part-start', index: 0, part: call },
      { type: 'part-end', index: 0, part: { ...call, name: 'g' } },
    ],
    partPointer,
  ],
  ['call-invalid', ['ag-ui'], streamParts([toolCall({ id: 'c', name: 'f', arguments: '{' })]), partPointer],
  [
    'provider-call',
    ['ag-ui'],
    streamParts([toolCall({ id: 'c', name: 'f', executedBy: 'provider' })]),
    partPointer,
  ],
  [
    'error-as-metadata',
    ['ag-ui'],
    [...streamParts([call]), toolResults(toolResult(call, 'no', { isError: true }))],
    '/steps/0/results/content/0/isError',
  ],
  [
    'json-as-text',
    ['ag-ui'],
    [...streamParts([call]), toolResults(toolResult(call, { a: 1 }))],
    '/steps/0/results/content/0/content/0',
  ],
  [
    'media-as-text',
    ['ag-ui'],
    [...streamParts([call]), toolResults(toolResult(call, [file({ text: 'x' })]))],
    '/steps/0/results/content/0/content/0',
  ],
  ['late-signature', ['ai-sdk-ui'], [...startEvents, ...endEvents, resigned], partPointer],
  [
    'late-signature',
    ['ag-ui'],
    [{ type: 'part-start', index: 0, part: picture }, { type: 'part-end', index: 0 }, resigned],
    partPointer,
  ],
  [
    'late-citations',
    ['ag-ui'],
    [
      ...startEvents,
      ...endEvents,
      { type: 'part-update', index: 0, citations: [{ type: 'source', url: 'https://example.com' }] },
    ],
    `${partPointer}/citations`,
  ],
  [
    'correction-omitted',
    both,
    [...startEvents, ...endEvents, { type: 'part-end', index: 0, replaces: true, part: text('y') }],
    partPointer,
  ],
  [
    'message-field',
    ['ag-ui'],
    [{ type: 'start', message: { parentId: 'p' } }],
    '/steps/0/candidates/0/parentId',
  ],
]
