import type { Json, JsonObject } from 'interlingua'
import type { StreamName } from './stream-responses.ts'

/** The arguments of a call, in pieces. */
export const pieces: readonly string[] = ['', '{"city', '":"Os', 'lo", "days"', ':[1', ',2]}']

/** A chunk of openai-chat. */
export const chunk = (delta: Json, finish: string | null = null): Json => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})

/** The value after each piece. */
const growing: readonly JsonObject[] = [
  {},
  { city: 'Os' },
  { city: 'Oslo' },
  { city: 'Oslo', days: [] },
  { city: 'Oslo', days: [1, 2] },
]

/** The payloads with which a dialect streams calls. */
interface Way {
  /** Returns the payloads of a response with one call for each list of pieces. */
  readonly stream: (...calls: readonly (readonly string[])[]) => readonly Json[]
  /** The value after each delta; dialects without arguments deltas have one. */
  readonly seen: readonly JsonObject[]
  /** The start of a call whose arguments do not end, and a further piece of them. */
  readonly endless: readonly [start: readonly Json[], piece: Json]
}

const long = 'x'.repeat(100)
const openedChat = chunk({
  tool_calls: [{ index: 0, id: 'c0', type: 'function', function: { name: 'f', arguments: '{"a":"' } }],
})
const openedBlock = (index: number): Json => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'tool_use', id: `c${index}`, name: 'f', input: {} },
})
const openedMessage: Json = {
  type: 'message_start',
  message: { id: 'm', type: 'message', role: 'assistant', content: [] },
}
const blockDelta = (index: number, text: string): Json => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json: text },
})

const item = (index: number, text: string, status: string): JsonObject => ({
  id: `fc_${index}`,
  type: 'function_call',
  status,
  arguments: text,
  call_id: `c${index}`,
  name: 'f',
})
const response = (status: string, output: readonly Json[]): JsonObject => ({
  id: 'r',
  object: 'response',
  created_at: 0,
  model: 'm',
  status,
  output,
})
const itemDelta = (index: number, text: string): Json => ({
  type: 'response.function_call_arguments.delta',
  item_id: `fc_${index}`,
  output_index: index,
  delta: text,
})
const openedItem = (index: number): Json => ({
  type: 'response.output_item.added',
  output_index: index,
  item: item(index, '', 'in_progress'),
})
const created: Json = { type: 'response.created', response: response('in_progress', []) }

const line = (message: JsonObject, ending: JsonObject = { done: false }): JsonObject => ({
  model: 'm',
  created_at: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', content: '', ...message },
  ...ending,
})
const candidate = (parts: readonly Json[], ending: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, ...ending, index: 0 }],
  responseId: 'r',
})
const interaction = (stage: string, status: string): Json => ({
  event_type: `interaction.${stage}`,
  interaction: { id: 'r', object: 'interaction', model: 'm', status },
})
const openedStep = (index: number): Json => ({
  event_type: 'step.start',
  index,
  step: { type: 'function_call', id: `c${index}`, name: 'f', arguments: {} },
})
const stepDelta = (index: number, text: string): Json => ({
  event_type: 'step.delta',
  index,
  delta: { type: 'arguments_delta', arguments: text },
})
const openedUse = (index: number): Json => ({
  contentBlockStart: {
    contentBlockIndex: index,
    start: { toolUse: { toolUseId: `c${index}`, name: 'f' } },
  },
})
const useDelta = (index: number, text: string): Json => ({
  contentBlockDelta: { contentBlockIndex: index, delta: { toolUse: { input: text } } },
})
const cohereStart: Json = { type: 'message-start', id: 'r', delta: { message: { role: 'assistant' } } }
const openedCall = (index: number): Json => ({
  type: 'tool-call-start',
  index,
  delta: {
    message: { tool_calls: { id: `c${index}`, type: 'function', function: { name: 'f', arguments: '' } } },
  },
})
const callDelta = (index: number, text: string): Json => ({
  type: 'tool-call-delta',
  index,
  delta: { message: { tool_calls: { function: { arguments: text } } } },
})
const parsed = (texts: readonly string[]): Json => JSON.parse(texts.join('')) as Json

/** Calls in fragments, as the formats with `choices` stream them. */
const chatWay: Way = {
  stream: (...calls) => [
    ...calls.flatMap((each, index) => [
      chunk({
        tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name: 'f', arguments: '' } }],
      }),
      ...each.map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
    ]),
    chunk({}, 'tool_calls'),
  ],
  seen: growing,
  endless: [[openedChat], chunk({ tool_calls: [{ index: 0, function: { arguments: long } }] })],
}

/** The payloads with which each dialect streams calls. */
export const ways: { readonly [name in StreamName]: Way } = {
  'openai-chat': chatWay,
  'openai-responses': {
    stream: (...calls) => [
      created,
      ...calls.flatMap((each, index) => [
        openedItem(index),
        ...each.map((text) => itemDelta(index, text)),
        {
          type: 'response.function_call_arguments.done',
          item_id: `fc_${index}`,
          output_index: index,
          arguments: each.join(''),
        },
        {
          type: 'response.output_item.done',
          output_index: index,
          item: item(index, each.join(''), 'completed'),
        },
      ]),
      {
        type: 'response.completed',
        response: response(
          'completed',
          calls.map((each, index) => item(index, each.join(''), 'completed')),
        ),
      },
    ],
    seen: growing,
    endless: [[created, openedItem(0), itemDelta(0, '{"a":"')], itemDelta(0, long)],
  },
  anthropic: {
    stream: (...calls) => [
      openedMessage,
      ...calls.flatMap((each, index) => [
        openedBlock(index),
        ...each.map((text) => blockDelta(index, text)),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: 'message_stop' },
    ],
    seen: growing,
    endless: [[openedMessage, openedBlock(0), blockDelta(0, '{"a":"')], blockDelta(0, long)],
  },
  gemini: {
    stream: (...calls) => [
      ...calls.map((each, index) =>
        candidate([{ functionCall: { id: `c${index}`, name: 'f', args: parsed(each) } }]),
      ),
      candidate([{ text: '' }], { finishReason: 'STOP' }),
    ],
    seen: growing.slice(-1),
    endless: [
      [candidate([{ functionCall: { id: 'c0', name: 'f', willContinue: true } }])],
      candidate([
        {
          functionCall: {
            partialArgs: [{ jsonPath: '$.a', stringValue: long, willContinue: true }],
            willContinue: true,
          },
        },
      ]),
    ],
  },
  ollama: {
    stream: (...calls) => [
      ...calls.map((each, index) =>
        line({ tool_calls: [{ id: `c${index}`, function: { index, name: 'f', arguments: parsed(each) } }] }),
      ),
      line({}, { done: true, done_reason: 'stop' }),
    ],
    seen: growing.slice(-1),
    endless: [
      [line({ content: 'Hi' })],
      line({ tool_calls: [{ function: { name: 'f', arguments: { a: long.repeat(20) } } }] }),
    ],
  },
  mistral: chatWay,
  'gemini-interactions': {
    stream: (...calls) => [
      interaction('created', 'in_progress'),
      ...calls.flatMap((each, index) => [
        openedStep(index),
        ...each.map((text) => stepDelta(index, text)),
        { event_type: 'step.stop', index },
      ]),
      interaction('completed', 'requires_action'),
    ],
    seen: growing,
    endless: [
      [interaction('created', 'in_progress'), openedStep(0), stepDelta(0, '{"a":"')],
      stepDelta(0, long),
    ],
  },
  bedrock: {
    stream: (...calls) => [
      { messageStart: { role: 'assistant' } },
      ...calls.flatMap((each, index) => [
        openedUse(index),
        ...each.map((text) => useDelta(index, text)),
        { contentBlockStop: { contentBlockIndex: index } },
      ]),
      { messageStop: { stopReason: 'tool_use' } },
    ],
    seen: growing,
    endless: [
      [{ messageStart: { role: 'assistant' } }, openedUse(0), useDelta(0, '{"a":"')],
      useDelta(0, long),
    ],
  },
  cohere: {
    stream: (...calls) => [
      cohereStart,
      ...calls.flatMap((each, index) => [
        openedCall(index),
        ...each.map((text) => callDelta(index, text)),
        { type: 'tool-call-end', index },
      ]),
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
    ],
    seen: growing,
    endless: [[cohereStart, openedCall(0), callDelta(0, '{"a":"')], callDelta(0, long)],
  },
}
