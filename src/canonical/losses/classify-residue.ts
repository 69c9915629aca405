import { isEqualJson, isObject, type Json, getOwnValue } from '../../wire/json.ts'

/** Wire paths by slot: the keys of a value without list positions, joined by dots. `.*` includes all nested keys. */
type WirePaths = { readonly [slot: string]: readonly string[] }

const chatEnvelope = [
  'created',
  'generationId',
  'id',
  'latency_checkpoint',
  'object',
  'obfuscation',
  'prompt_filter_results',
  'provider',
  'request_id',
  'service_tier',
  'stream_options',
  'system_fingerprint',
  'time_info',
  'timings',
  'usage',
  'x_groq.*',
]

const chatChoice = ['content_filter_results', 'finish_reason', 'native_finish_reason', 'seed']

/** Settings and server data that a Responses body repeats; errors and `incomplete_details` are not among them. */
const responsesEcho = [
  'background',
  'billing',
  'completed_at',
  'content_filters',
  'conversation',
  'created_at',
  'frequency_penalty',
  'id',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata.*',
  'model',
  'moderation',
  'object',
  'parallel_tool_calls',
  'presence_penalty',
  'previous_response_id',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning.*',
  'safety_identifier',
  'service_tier',
  'status',
  'store',
  'system_fingerprint',
  'temperature',
  'text.*',
  'tool_choice.*',
  'tool_usage.*',
  'tools.*',
  'top_logprobs',
  'top_p',
  'truncation',
  'usage.*',
  'user',
]

const responsesItem = ['id', 'phase', 'status']

const geminiCandidate = [
  'avgLogprobs',
  'finishMessage',
  'finishReason',
  'index',
  'safetyRatings',
  'tokenCount',
]

const geminiEnvelope = ['createTime', 'modelVersion', 'responseId', 'usageMetadata.*']

/** Data of responses and stream events that is metadata: ids, times, counters, echoed settings, unrequested ratings. */
const responseMetadata: WirePaths = {
  'openai-chat': [
    ...chatEnvelope,
    ...below('choices', chatChoice),
    'choices.delta.role',
    'choices.delta.token_id',
    'choices.delta.tool_calls.type',
    // Labels of `reasoning_details`.
    'format',
    'index',
  ],
  'openai-chat/response': chatEnvelope,
  'openai-chat/choice': chatChoice,
  'openai-responses': [
    ...responsesItem,
    ...below('item', responsesItem),
    ...below('response', responsesEcho),
    'content_index',
    'item.encrypted_content',
    'item.type',
    'item_id',
    'obfuscation',
    'output_index',
    'sequence_number',
  ],
  'openai-responses/response': responsesEcho,
  gemini: [
    ...geminiEnvelope,
    ...below('candidates', geminiCandidate),
    // The parts of an event are decoded one by one, so a difference of the list itself is only one of form.
    'candidates.content',
    'candidates.content.parts',
    'candidates.content.parts.functionCall.partialArgs',
  ],
  'gemini/response': geminiEnvelope,
  'gemini/candidate': geminiCandidate,
  ollama: ['created_at'],
  'ollama/response': ['created_at'],
}

/** Data of requests that changes neither what the model reads nor what it answers. */
const requestMetadata: WirePaths = {
  'openai-chat': ['cache_control', 'format', 'id', 'index', 'stream_options.*', 'usage.*'],
  // A result repeats the name of its tool. `client_metadata` are labels of Codex for OpenAI's servers.
  'openai-responses': [...responsesItem, 'client_metadata.*', 'name', 'namespace', 'stream_options.*'],
  anthropic: ['anthropic_version'],
  gemini: ['role'],
  ollama: ['keep_alive'],
}

/** Values that equal the behavior of every target. */
const defaultValues: { readonly [slot: string]: { readonly [path: string]: Json } } = {
  'openai-chat': {
    'custom.format': { type: 'text' },
    logprobs: false,
    service_tier: 'auto',
    store: false,
  },
  'openai-responses': {
    background: false,
    format: { type: 'text' },
    // Other providers always return the reasoning that they accept again.
    include: ['reasoning.encrypted_content'],
    service_tier: 'auto',
    store: false,
    truncation: 'disabled',
  },
  anthropic: { caller: { type: 'direct' }, citations: null, is_error: false },
}

/** Keys that contain only the position of a value. */
const structural: ReadonlySet<string> = new Set(['index', 'role', 'sequence_number'])

/** A value of residue: its slot, its wire keys, the direction, and whether it belongs to token counts. */
export interface ForeignResidueValue {
  readonly slot: string
  readonly keys: readonly string[]
  readonly value: unknown
  readonly direction: 'request' | 'response'
  readonly isUsage: boolean
}

/** The rules of residue that a target does not write. */
export type ForeignLossRule = 'foreign-metadata' | 'foreign-residue'

/** Returns the rule for a value that only another format has; undefined if it equals a default. */
export function getForeignLossRule({
  slot,
  keys,
  value,
  direction,
  isUsage,
}: ForeignResidueValue): ForeignLossRule | undefined {
  if (isUsage) return hasOnlyZeros(value) ? undefined : 'foreign-metadata'
  // Names that start with `$` are groups of the library: they lead to the wire object that contains a part.
  const path = keys.filter((key) => !/^(?:\d+$|\$)/.test(key)).join('.')
  // Slots and keys are untrusted: only own properties of the tables count.
  const standard = getOwnValue(getOwnValue(defaultValues, slot) ?? {}, path)
  if (standard !== undefined && isEqualJson(standard, value)) return undefined
  const table = direction === 'request' ? requestMetadata : responseMetadata
  const listed = (getOwnValue(table, slot) ?? []) as readonly string[]
  const isMetadata = listed.some((each) => covers(each, path)) || hasOnlyStructure(value, keys.at(-1))
  return isMetadata ? 'foreign-metadata' : 'foreign-residue'
}

/** Returns true for a value that contains only positions, empty texts and empty lists. */
export function hasOnlyStructure(value: unknown, key = ''): boolean {
  if (value === null || value === '') return true
  if (Array.isArray(value)) return value.every((each) => hasOnlyStructure(each, key))
  if (isObject(value)) return Object.entries(value).every(([name, each]) => hasOnlyStructure(each, name))
  return structural.has(key)
}

function hasOnlyZeros(value: unknown): boolean {
  return isObject(value) ? Object.values(value).every(hasOnlyZeros) : value === 0
}

function covers(listed: string, path: string): boolean {
  if (!listed.endsWith('.*')) return listed === path
  const stem = listed.slice(0, -2)
  return path === stem || path.startsWith(`${stem}.`)
}

function below(stem: string, paths: readonly string[]): readonly string[] {
  return paths.map((path) => `${stem}.${path}`)
}
