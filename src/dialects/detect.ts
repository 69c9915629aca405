import { isObject, ownValue } from '../wire/json.ts'

/** What an input seems to be. */
export interface Detected {
  readonly kind: 'request' | 'response' | 'stream' | 'stored'
  /** The dialect, or `interlingua` for our stored form. */
  readonly name: string
  /** From 0 to 1. */
  readonly certainty: number
  /** What gives it away. */
  readonly evidence: string
}

type Test = (value: { readonly [key: string]: unknown }) => boolean

/** One sign: what it speaks for, how strongly, and how it is told. */
type Sign = readonly [kind: Detected['kind'], name: string, weight: number, evidence: string, test: Test]

const has =
  (...keys: readonly string[]): Test =>
  (value) =>
    keys.every((key) => ownValue(value, key) !== undefined)

const is =
  (key: string, ...words: readonly unknown[]): Test =>
  (value) =>
    words.includes(ownValue(value, key))

/** Whether some item of a list has the key. */
const some =
  (list: string, test: Test): Test =>
  (value) => {
    const items = ownValue(value, list)
    return Array.isArray(items) && items.some((item) => isObject(item) && test(item))
  }

/** Whether a body holds a conversation as items, in one of their forms. */
function isInput(value: { readonly [key: string]: unknown }): boolean {
  return some('input', (item) => has('role')(item) || has('type')(item))(value)
}

const either =
  (...keys: readonly string[]): Test =>
  (value) =>
    keys.some((key) => has(key)(value))

/** Messages of Ollama have images and the name of a tool beside the text, and arguments that are no text. */
const ofOllama: Test = (message) =>
  either('tool_name', 'images')(message) ||
  some('tool_calls', (call) => {
    const called = ownValue(call, 'function')
    return isObject(called) && isObject(called['arguments'])
  })(message)

const streamTypes = [
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
]

const signs: readonly Sign[] = [
  ['stored', 'interlingua', 1, 'a version under "interlingua"', has('interlingua')],

  ['request', 'openai-chat', 0.4, '"messages"', has('messages')],
  [
    'request',
    'openai-chat',
    0.4,
    'messages of a role that only this format has',
    some('messages', is('role', 'developer', 'tool', 'function')),
  ],
  ['request', 'openai-chat', 0.2, 'a system message in the list', some('messages', is('role', 'system'))],
  ['request', 'openai-chat', 0.4, '"tool_calls" in a message', some('messages', has('tool_calls'))],
  ['request', 'openai-chat', 0.3, 'tools with a nested "function"', some('tools', has('function'))],
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
      ].some((key) => has(key)(value)),
  ],

  ['request', 'anthropic', 0.4, '"messages"', has('messages')],
  ['request', 'anthropic', 0.1, '"max_tokens", which it requires', has('messages', 'max_tokens')],
  ['request', 'anthropic', 0.4, 'instructions under "system"', has('messages', 'system')],
  ['request', 'anthropic', 0.4, 'tools with an "input_schema"', some('tools', has('input_schema'))],
  [
    'request',
    'anthropic',
    0.3,
    'a setting that only this format has',
    (value) =>
      ['stop_sequences', 'thinking', 'output_config', 'anthropic_version'].some((key) => has(key)(value)),
  ],
  [
    'request',
    'anthropic',
    0.4,
    'blocks that only this format has',
    some(
      'messages',
      some('content', is('type', 'tool_use', 'tool_result', 'thinking', 'document', 'server_tool_use')),
    ),
  ],

  ['request', 'gemini', 0.7, '"contents"', has('contents')],
  ['request', 'gemini', 0.3, '"parts" in a content', some('contents', has('parts'))],
  ['request', 'openai-responses', 0.5, '"input"', has('input')],
  ['request', 'openai-responses', 0.4, 'items of a conversation in "input"', isInput],
  ['request', 'openai-responses', 0.4, 'a stored "prompt"', (value) => isObject(ownValue(value, 'prompt'))],
  [
    'request',
    'openai-responses',
    0.3,
    'a setting that only this format has',
    (value) =>
      ['instructions', 'previous_response_id', 'max_output_tokens', 'include', 'text', 'truncation'].some(
        (key) => has('input', key)(value),
      ),
  ],

  ['request', 'ollama', 0.3, '"messages"', has('messages')],
  ['request', 'ollama', 0.4, 'settings under "options"', has('messages', 'options')],
  ['request', 'ollama', 0.4, 'fields of a message that only this format has', some('messages', ofOllama)],
  ['request', 'ollama', 0.3, 'a setting that only this format has', either('keep_alive', 'think', 'format')],

  ['response', 'openai-chat', 0.6, '"choices"', has('choices')],
  ['response', 'openai-chat', 0.4, '"object" says so', is('object', 'chat.completion')],
  ['response', 'openai-responses', 0.6, '"object" says so', is('object', 'response')],
  [
    'response',
    'openai-responses',
    0.4,
    'items in "output"',
    (value) => Array.isArray(ownValue(value, 'output')),
  ],
  ['response', 'anthropic', 0.6, '"type" is "message"', is('type', 'message')],
  ['response', 'anthropic', 0.4, '"stop_reason"', (value) => Object.hasOwn(value, 'stop_reason')],
  ['response', 'gemini', 0.6, '"candidates"', has('candidates')],
  [
    'response',
    'gemini',
    0.4,
    'a field that only this format has',
    (value) => ['usageMetadata', 'modelVersion', 'promptFeedback'].some((key) => has(key)(value)),
  ],

  ['response', 'ollama', 0.5, '"done"', is('done', true, false)],
  ['response', 'ollama', 0.4, '"message" or "response"', either('message', 'response')],

  ['stream', 'openai-chat', 1, 'a chunk', is('object', 'chat.completion.chunk')],
  ['stream', 'openai-chat', 0.7, '"delta" in a choice', some('choices', has('delta'))],
  [
    'stream',
    'openai-responses',
    0.9,
    'the type of its events',
    (value) => String(ownValue(value, 'type')).startsWith('response.'),
  ],
  ['stream', 'anthropic', 0.9, 'the type of its events', is('type', ...streamTypes)],
  ['stream', 'ollama', 1, 'a piece that is not "done"', is('done', false)],
]

/** Signs against: what only another format or kind has. */
const counter: readonly Sign[] = [
  ['request', 'anthropic', 0.5, '', some('messages', is('role', 'developer', 'tool', 'function'))],
  ['request', 'anthropic', 0.5, '', some('messages', has('tool_calls'))],
  ['request', 'openai-chat', 0.5, '', has('system')],
  ['request', 'openai-chat', 0.5, '', has('messages', 'options')],
  ['request', 'openai-chat', 0.5, '', some('messages', ofOllama)],
  ['request', 'ollama', 0.3, '', some('messages', (message) => Array.isArray(ownValue(message, 'content')))],
  ['request', 'openai-chat', 0.5, '', some('tools', has('input_schema'))],
  [
    'request',
    'openai-chat',
    0.4,
    '',
    some('messages', some('content', is('type', 'tool_use', 'tool_result', 'thinking'))),
  ],
  ['response', 'openai-chat', 0.8, '', is('object', 'chat.completion.chunk')],
]

/**
 * What an input seems to be, most certain first: a body (parsed, or its text), the text of a stream, or our stored form.
 *
 * @example
 * detect({ model: 'm', max_tokens: 10, system: 'Be brief.', messages: [] })[0]
 * // { kind: 'request', name: 'anthropic', certainty: 0.9, evidence: '"messages", …' }
 */
export function detect(input: unknown): readonly Detected[] {
  if (typeof input !== 'string') return detectValue(input)
  const whole = parsed(input)
  if (Array.isArray(whole)) return detectPayloads(whole)
  return whole === undefined ? detectPayloads(payloadsOf(input)) : detectValue(whole)
}

/** A stream, by the first of its payloads that gives something away: there, what looks like a response is a piece of one. */
function detectPayloads(payloads: Iterable<unknown>): readonly Detected[] {
  for (const payload of payloads) {
    const told = detectValue(payload).filter(({ kind }) => kind === 'stream' || kind === 'response')
    if (told.length > 0) return told.map((each) => ({ ...each, kind: 'stream' }))
  }
  return []
}

/** The payloads at the beginning of a stream of events or of lines, as they are asked for. */
function* payloadsOf(text: string): Generator<unknown, void, undefined> {
  const lines = text.slice(0, 65_536).split(/\r\n|\n|\r/)
  for (const line of lines) yield parsed(line.startsWith('data:') ? line.slice(5) : line)
}

function detectValue(value: unknown): readonly Detected[] {
  if (!isObject(value)) return []
  const found = new Map<
    string,
    { kind: Detected['kind']; name: string; weight: number; evidence: string[] }
  >()
  for (const [kind, name, weight, evidence, test] of signs) {
    if (!test(value)) continue
    const entry = found.get(`${kind} ${name}`) ?? { kind, name, weight: 0, evidence: [] }
    found.set(`${kind} ${name}`, entry)
    entry.weight += weight
    entry.evidence.push(evidence)
  }
  for (const [kind, name, weight, , test] of counter) {
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
