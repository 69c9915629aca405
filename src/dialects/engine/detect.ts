import { isObject, getOwnValue } from '../../wire/json.ts'

/** What an input seems to be. */
export interface Detection {
  readonly kind: 'request' | 'response' | 'stream' | 'stored'
  /** The dialect, or `interlingua` for our stored form. */
  readonly name: string
  /** From 0 to 1. */
  readonly certainty: number
  /** What gives it away. */
  readonly evidence: string
}

type ObjectTest = (value: { readonly [key: string]: unknown }) => boolean

/** One sign: what it speaks for, how strongly, and how it is told. */
type FormatSign = readonly [
  kind: Detection['kind'],
  name: string,
  weight: number,
  evidence: string,
  test: ObjectTest,
]

const hasKeys =
  (...keys: readonly string[]): ObjectTest =>
  (value) =>
    keys.every((key) => getOwnValue(value, key) !== undefined)

const hasValue =
  (key: string, ...words: readonly unknown[]): ObjectTest =>
  (value) =>
    words.includes(getOwnValue(value, key))

/** Whether some item of a list has the key. */
const hasItemWhere =
  (list: string, test: ObjectTest): ObjectTest =>
  (value) => {
    const items = getOwnValue(value, list)
    return Array.isArray(items) && items.some((item) => isObject(item) && test(item))
  }

/** Whether a body holds a conversation as items, in one of their forms. */
function hasInputItems(value: { readonly [key: string]: unknown }): boolean {
  return hasItemWhere('input', (item) => hasKeys('role')(item) || hasKeys('type')(item))(value)
}

const hasAnyKey =
  (...keys: readonly string[]): ObjectTest =>
  (value) =>
    keys.some((key) => hasKeys(key)(value))

/** Messages of Ollama have images and the name of a tool beside the text, and arguments that are no text. */
const isOllamaMessage: ObjectTest = (message) =>
  hasAnyKey('tool_name', 'images')(message) ||
  hasItemWhere('tool_calls', (call) => {
    const called = getOwnValue(call, 'function')
    return isObject(called) && isObject(called['arguments'])
  })(message)

const anthropicStreamTypes = [
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
]

const signs: readonly FormatSign[] = [
  ['stored', 'interlingua', 1, 'a version under "interlingua"', hasKeys('interlingua')],

  ['request', 'openai-chat', 0.4, '"messages"', hasKeys('messages')],
  [
    'request',
    'openai-chat',
    0.4,
    'messages of a role that only this format has',
    hasItemWhere('messages', hasValue('role', 'developer', 'tool', 'function')),
  ],
  [
    'request',
    'openai-chat',
    0.2,
    'a system message in the list',
    hasItemWhere('messages', hasValue('role', 'system')),
  ],
  [
    'request',
    'openai-chat',
    0.4,
    '"tool_calls" in a message',
    hasItemWhere('messages', hasKeys('tool_calls')),
  ],
  [
    'request',
    'openai-chat',
    0.3,
    'tools with a nested "function"',
    hasItemWhere('tools', hasKeys('function')),
  ],
  [
    'request',
    'openai-chat',
    0.2,
    'a setting that only this format has',
    (value) =>
      [
        'max_completion_tokens',
        'n',
        'response_format',
        'frequency_penalty',
        'logprobs',
        'seed',
        'stream_options',
      ].some((key) => hasKeys(key)(value)),
  ],

  ['request', 'anthropic', 0.4, '"messages"', hasKeys('messages')],
  ['request', 'anthropic', 0.1, '"max_tokens", which it requires', hasKeys('messages', 'max_tokens')],
  ['request', 'anthropic', 0.4, 'instructions under "system"', hasKeys('messages', 'system')],
  [
    'request',
    'anthropic',
    0.4,
    'tools with an "input_schema"',
    hasItemWhere('tools', hasKeys('input_schema')),
  ],
  [
    'request',
    'anthropic',
    0.3,
    'a setting that only this format has',
    (value) =>
      ['stop_sequences', 'thinking', 'output_config', 'anthropic_version'].some((key) => hasKeys(key)(value)),
  ],
  [
    'request',
    'anthropic',
    0.4,
    'blocks that only this format has',
    hasItemWhere(
      'messages',
      hasItemWhere(
        'content',
        hasValue('type', 'tool_use', 'tool_result', 'thinking', 'document', 'server_tool_use'),
      ),
    ),
  ],

  ['request', 'gemini', 0.7, '"contents"', hasKeys('contents')],
  ['request', 'gemini', 0.3, '"parts" in a content', hasItemWhere('contents', hasKeys('parts'))],
  ['request', 'openai-responses', 0.5, '"input"', hasKeys('input')],
  ['request', 'openai-responses', 0.4, 'items of a conversation in "input"', hasInputItems],
  [
    'request',
    'openai-responses',
    0.4,
    'a stored "prompt"',
    (value) => isObject(getOwnValue(value, 'prompt')),
  ],
  [
    'request',
    'openai-responses',
    0.3,
    'a setting that only this format has',
    (value) =>
      ['instructions', 'previous_response_id', 'max_output_tokens', 'include', 'text', 'truncation'].some(
        (key) => hasKeys('input', key)(value),
      ),
  ],

  ['request', 'ollama', 0.3, '"messages"', hasKeys('messages')],
  ['request', 'ollama', 0.4, 'settings under "options"', hasKeys('messages', 'options')],
  [
    'request',
    'ollama',
    0.4,
    'fields of a message that only this format has',
    hasItemWhere('messages', isOllamaMessage),
  ],
  [
    'request',
    'ollama',
    0.3,
    'a setting that only this format has',
    hasAnyKey('keep_alive', 'think', 'format'),
  ],

  ['response', 'openai-chat', 0.6, '"choices"', hasKeys('choices')],
  ['response', 'openai-chat', 0.4, '"object" says so', hasValue('object', 'chat.completion')],
  ['response', 'openai-responses', 0.6, '"object" says so', hasValue('object', 'response')],
  [
    'response',
    'openai-responses',
    0.4,
    'items in "output"',
    (value) => Array.isArray(getOwnValue(value, 'output')),
  ],
  ['response', 'anthropic', 0.6, '"type" is "message"', hasValue('type', 'message')],
  ['response', 'anthropic', 0.4, '"stop_reason"', (value) => Object.hasOwn(value, 'stop_reason')],
  ['response', 'gemini', 0.6, '"candidates"', hasKeys('candidates')],
  [
    'response',
    'gemini',
    0.4,
    'a field that only this format has',
    (value) => ['usageMetadata', 'modelVersion', 'promptFeedback'].some((key) => hasKeys(key)(value)),
  ],

  ['response', 'ollama', 0.5, '"done"', hasValue('done', true, false)],
  ['response', 'ollama', 0.4, '"message" or "response"', hasAnyKey('message', 'response')],

  ['stream', 'openai-chat', 1, 'a chunk', hasValue('object', 'chat.completion.chunk')],
  ['stream', 'openai-chat', 0.7, '"delta" in a choice', hasItemWhere('choices', hasKeys('delta'))],
  [
    'stream',
    'openai-responses',
    0.9,
    'the type of its events',
    (value) => String(getOwnValue(value, 'type')).startsWith('response.'),
  ],
  ['stream', 'anthropic', 0.9, 'the type of its events', hasValue('type', ...anthropicStreamTypes)],
  ['stream', 'ollama', 1, 'a piece that is not "done"', hasValue('done', false)],
]

/** Signs against: what only another format or kind has. */
const counterSigns: readonly FormatSign[] = [
  [
    'request',
    'anthropic',
    0.5,
    '',
    hasItemWhere('messages', hasValue('role', 'developer', 'tool', 'function')),
  ],
  ['request', 'anthropic', 0.5, '', hasItemWhere('messages', hasKeys('tool_calls'))],
  ['request', 'openai-chat', 0.5, '', hasKeys('system')],
  ['request', 'openai-chat', 0.5, '', hasKeys('messages', 'options')],
  ['request', 'openai-chat', 0.5, '', hasItemWhere('messages', isOllamaMessage)],
  [
    'request',
    'ollama',
    0.3,
    '',
    hasItemWhere('messages', (message) => Array.isArray(getOwnValue(message, 'content'))),
  ],
  ['request', 'openai-chat', 0.5, '', hasItemWhere('tools', hasKeys('input_schema'))],
  [
    'request',
    'openai-chat',
    0.4,
    '',
    hasItemWhere(
      'messages',
      hasItemWhere('content', hasValue('type', 'tool_use', 'tool_result', 'thinking')),
    ),
  ],
  ['response', 'openai-chat', 0.8, '', hasValue('object', 'chat.completion.chunk')],
]

/**
 * What an input seems to be, most certain first: a body (parsed, or its text), the text of a stream, or our stored form.
 *
 * @example
 * detect({ model: 'm', max_tokens: 10, system: 'Be brief.', messages: [] })[0]
 * // { kind: 'request', name: 'anthropic', certainty: 0.9, evidence: '"messages", …' }
 */
export function detect(input: unknown): readonly Detection[] {
  if (typeof input !== 'string') return detectValue(input)
  const whole = tryParseJson(input)
  if (Array.isArray(whole)) return detectPayloads(whole)
  return whole === undefined ? detectPayloads(readPayloads(input)) : detectValue(whole)
}

/** A stream, by the first of its payloads that gives something away: there, what looks like a response is a piece of one. */
function detectPayloads(payloads: Iterable<unknown>): readonly Detection[] {
  for (const payload of payloads) {
    const told = detectValue(payload).filter(({ kind }) => kind === 'stream' || kind === 'response')
    if (told.length > 0) return told.map((each) => ({ ...each, kind: 'stream' }))
  }
  return []
}

/** The payloads at the beginning of a stream of events or of lines, as they are asked for. */
function* readPayloads(text: string): Generator<unknown, void, undefined> {
  const lines = text.slice(0, 65_536).split(/\r\n|\n|\r/)
  for (const line of lines) yield tryParseJson(line.startsWith('data:') ? line.slice(5) : line)
}

function detectValue(value: unknown): readonly Detection[] {
  if (!isObject(value)) return []
  const found = new Map<
    string,
    { kind: Detection['kind']; name: string; weight: number; evidence: string[] }
  >()
  for (const [kind, name, weight, evidence, test] of signs) {
    if (!test(value)) continue
    const entry = found.get(`${kind} ${name}`) ?? { kind, name, weight: 0, evidence: [] }
    found.set(`${kind} ${name}`, entry)
    entry.weight += weight
    entry.evidence.push(evidence)
  }
  for (const [kind, name, weight, , test] of counterSigns) {
    const entry = found.get(`${kind} ${name}`)
    if (entry !== undefined && test(value)) entry.weight -= weight
  }
  return [...found.values()]
    .filter(({ weight }) => weight > 0)
    .map(({ kind, name, weight, evidence }) => {
      return {
        kind,
        name,
        certainty: Math.round(Math.min(1, weight) * 100) / 100,
        evidence: evidence.join(', '),
      }
    })
    .toSorted((a, b) => b.certainty - a.certainty)
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
