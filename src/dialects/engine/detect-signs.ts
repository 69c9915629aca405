import { getOwnValue, isObject, readStringOrEmpty } from '../../wire/json.ts'

type ObjectTest = (value: { readonly [key: string]: unknown }) => boolean

/** The kinds of input that can be detected; `stored` is the stored form of this library. */
export type DetectedInputKind = 'request' | 'response' | 'stream' | 'stored'

/** The signs of one kind of input of one dialect. */
interface FormatSigns {
  readonly kind: DetectedInputKind
  readonly name: string
  /** Tests that count for the format, and the evidence that each one adds. */
  readonly signs: readonly (readonly [weight: number, evidence: string, test: ObjectTest])[]
  /** Tests that count against the format: fields that only another format or kind has. */
  readonly counterSigns?: readonly (readonly [weight: number, test: ObjectTest])[]
}

const hasKeys =
  (...keys: readonly string[]): ObjectTest =>
  (value) =>
    keys.every((key) => getOwnValue(value, key) !== undefined)

const hasAnyKey =
  (...keys: readonly string[]): ObjectTest =>
  (value) =>
    keys.some((key) => getOwnValue(value, key) !== undefined)

const hasValue =
  (key: string, ...values: readonly unknown[]): ObjectTest =>
  (value) =>
    values.includes(getOwnValue(value, key))

const hasList =
  (key: string): ObjectTest =>
  (value) =>
    Array.isArray(getOwnValue(value, key))

const hasItemWhere =
  (list: string, test: ObjectTest): ObjectTest =>
  (value) => {
    const items = getOwnValue(value, list)
    return Array.isArray(items) && items.some((item) => isObject(item) && test(item))
  }

const hasContentType = (...types: readonly string[]): ObjectTest =>
  hasItemWhere('messages', hasItemWhere('content', hasValue('type', ...types)))

const hasOpenaiRole = hasItemWhere('messages', hasValue('role', 'developer', 'tool', 'function'))
const hasToolCalls = hasItemWhere('messages', hasKeys('tool_calls'))
const hasInputSchema = hasItemWhere('tools', hasKeys('input_schema'))

/** Matches a call whose arguments are an object: openai-chat has them as JSON text. */
const hasObjectArguments: ObjectTest = (call) => {
  const called = getOwnValue(call, 'function')
  return isObject(called) && isObject(called['arguments'])
}

const hasOllamaMessage = hasItemWhere(
  'messages',
  (message) =>
    hasAnyKey('tool_name', 'images')(message) || hasItemWhere('tool_calls', hasObjectArguments)(message),
)

const hasOllamaSetting = hasAnyKey('keep_alive', 'think', 'format')

const responsesOnlySettings = [
  'instructions',
  'previous_response_id',
  'max_output_tokens',
  'include',
  'text',
  'truncation',
]

const anthropicStreamTypes = [
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
]

/** The signs of every format. Of formats with equal certainty, the first one is preferred. */
export const formatDetectionSigns: readonly FormatSigns[] = [
  {
    kind: 'stored',
    name: 'interlingua',
    signs: [[1, '"interlingua" contains a version', hasKeys('interlingua')]],
  },
  {
    kind: 'request',
    name: 'openai-chat',
    signs: [
      [0.4, 'has "messages"', hasKeys('messages')],
      [0.4, 'a message has the role "developer", "tool" or "function"', hasOpenaiRole],
      [0.2, 'a message has the role "system"', hasItemWhere('messages', hasValue('role', 'system'))],
      [0.4, 'a message has "tool_calls"', hasToolCalls],
      [0.3, 'a tool has "function"', hasItemWhere('tools', hasKeys('function'))],
      [
        0.2,
        'has a setting that only openai-chat has',
        hasAnyKey(
          'max_completion_tokens',
          'n',
          'response_format',
          'frequency_penalty',
          'logprobs',
          'seed',
          'stream_options',
        ),
      ],
    ],
    counterSigns: [
      [0.5, hasKeys('system')],
      [0.5, hasKeys('messages', 'options')],
      // No message of openai-chat has such a field, whatever else the formats share.
      [1.3, hasOllamaMessage],
      [0.5, hasOllamaSetting],
      [0.5, hasInputSchema],
      [0.4, hasContentType('tool_use', 'tool_result', 'thinking')],
    ],
  },
  {
    kind: 'request',
    name: 'anthropic',
    signs: [
      [0.4, 'has "messages"', hasKeys('messages')],
      [0.1, 'has "max_tokens", which anthropic requires', hasKeys('messages', 'max_tokens')],
      [0.4, 'has "system"', hasKeys('messages', 'system')],
      [0.4, 'a tool has "input_schema"', hasInputSchema],
      [
        0.3,
        'has a setting that only anthropic has',
        hasAnyKey('stop_sequences', 'thinking', 'output_config', 'anthropic_version'),
      ],
      [
        0.4,
        'a message has a content block that only anthropic has',
        hasContentType('tool_use', 'tool_result', 'thinking', 'document', 'server_tool_use'),
      ],
    ],
    counterSigns: [
      [0.5, hasOpenaiRole],
      [0.5, hasToolCalls],
    ],
  },
  {
    kind: 'request',
    name: 'gemini',
    signs: [
      [0.7, 'has "contents"', hasKeys('contents')],
      [0.3, 'a content has "parts"', hasItemWhere('contents', hasKeys('parts'))],
    ],
  },
  {
    kind: 'request',
    name: 'openai-responses',
    signs: [
      [0.5, 'has "input"', hasKeys('input')],
      [0.4, '"input" contains conversation items', hasItemWhere('input', hasAnyKey('role', 'type'))],
      [0.4, 'has a stored "prompt"', (value) => isObject(getOwnValue(value, 'prompt'))],
      [
        0.3,
        'has a setting that only openai-responses has',
        (value) => hasKeys('input')(value) && hasAnyKey(...responsesOnlySettings)(value),
      ],
    ],
  },
  {
    kind: 'request',
    name: 'ollama',
    signs: [
      [0.3, 'has "messages"', hasKeys('messages')],
      [0.4, 'has "options"', hasKeys('messages', 'options')],
      [0.7, 'a message has a field that only ollama has', hasOllamaMessage],
      [0.3, 'has a setting that only ollama has', hasOllamaSetting],
    ],
    counterSigns: [[0.3, hasItemWhere('messages', hasList('content'))]],
  },
  {
    kind: 'response',
    name: 'openai-chat',
    signs: [
      [0.6, 'has "choices"', hasKeys('choices')],
      [0.4, '"object" is "chat.completion"', hasValue('object', 'chat.completion')],
    ],
    counterSigns: [[0.8, hasValue('object', 'chat.completion.chunk')]],
  },
  {
    kind: 'response',
    name: 'openai-responses',
    signs: [
      [0.6, '"object" is "response"', hasValue('object', 'response')],
      [0.4, '"output" is a list', hasList('output')],
    ],
  },
  {
    kind: 'response',
    name: 'anthropic',
    signs: [
      [0.6, '"type" is "message"', hasValue('type', 'message')],
      [0.4, 'has "stop_reason"', (value) => Object.hasOwn(value, 'stop_reason')],
    ],
  },
  {
    kind: 'response',
    name: 'gemini',
    signs: [
      [0.6, 'has "candidates"', hasKeys('candidates')],
      [0.4, 'has a field that only gemini has', hasAnyKey('usageMetadata', 'modelVersion', 'promptFeedback')],
    ],
  },
  {
    kind: 'response',
    name: 'ollama',
    signs: [
      [0.5, 'has "done"', hasValue('done', true, false)],
      [0.4, 'has "message" or "response"', hasAnyKey('message', 'response')],
    ],
  },
  {
    kind: 'stream',
    name: 'openai-chat',
    signs: [
      [1, '"object" is "chat.completion.chunk"', hasValue('object', 'chat.completion.chunk')],
      [0.7, 'a choice has "delta"', hasItemWhere('choices', hasKeys('delta'))],
    ],
  },
  {
    kind: 'stream',
    name: 'openai-responses',
    signs: [
      [
        0.9,
        '"type" starts with "response."',
        (value) => readStringOrEmpty(getOwnValue(value, 'type')).startsWith('response.'),
      ],
    ],
  },
  {
    kind: 'stream',
    name: 'anthropic',
    signs: [[0.9, '"type" is an event of anthropic', hasValue('type', ...anthropicStreamTypes)]],
  },
  { kind: 'stream', name: 'ollama', signs: [[1, '"done" is false', hasValue('done', false)]] },
]
