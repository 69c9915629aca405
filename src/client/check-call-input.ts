import { user } from '../canonical/build/messages.ts'
import { Messages } from '../canonical/collections/messages.ts'
import type {
  BackgroundRunOptions,
  BackgroundStreamOptions,
  CallOptions,
  EmbeddingOptions,
  ModelInput,
  ResumeOptions,
  WaitOptions,
} from '../canonical/model/model-interface.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { settingRanges } from '../canonical/model/setting-ranges.ts'
import { findForeignFormat } from '../canonical/parse/foreign-formats.ts'
import { throwInvalid } from '../canonical/shape/shape.ts'
import { isMessageList } from '../dialects/engine/check-canonical-input.ts'
import { InterlinguaError } from '../errors.ts'
import { checkSignal } from '../wire/cancellation.ts'
import { checkOptions, type OptionHints, type OptionNames } from '../wire/check-options.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import { describeType, isObject } from '../wire/json.ts'
import { NumberRange } from '../wire/number-range.ts'
import { assertNumericSettings } from '../wire/stream-limits.ts'

/** The names of the settings of a request. */
export const SETTING_NAMES: OptionNames<Omit<ChatRequest, 'messages'>> = {
  model: true,
  tools: true,
  toolChoice: true,
  parallelToolCalls: Boolean,
  output: { type: true, schema: true, name: true, description: true, strict: Boolean },
  reasoning: {
    enabled: Boolean,
    effort: true,
    budgetTokens: settingRanges.budgetTokens,
    include: Boolean,
    summary: true,
  },
  maxOutputTokens: settingRanges.maxOutputTokens,
  temperature: settingRanges.temperature,
  topP: settingRanges.topP,
  topK: settingRanges.topK,
  stop: true,
  seed: settingRanges.seed,
  presencePenalty: settingRanges.presencePenalty,
  frequencyPenalty: settingRanges.frequencyPenalty,
  candidateCount: settingRanges.candidateCount,
  logprobs: { top: settingRanges.top },
  stream: Boolean,
  user: true,
  metadata: true,
  verbosity: true,
  serviceTier: true,
  store: Boolean,
  promptCacheKey: true,
  safetyIdentifier: true,
  extra: true,
}

const REQUEST_NAMES: OptionNames<ChatRequest> = { messages: true, ...SETTING_NAMES }

const SECOND_ARGUMENT_HINT = 'Pass it in the second argument, after the request.'

const OUTPUT_HINT = "Use `output: { type: 'json', schema }`."

const STOP_HINT = 'Use `stop`, a list of texts.'

const REQUEST_HINTS: OptionHints = {
  prompt: 'Pass the text as `messages`.',
  input: 'Pass the text as `messages`.',
  system: "Pass it as a message: { messages: [system('…'), user('…')] }.",
  instructions: "Pass it as a message: { messages: [system('…'), user('…')] }.",
  signal: SECOND_ARGUMENT_HINT,
  abortSignal: SECOND_ARGUMENT_HINT,
  includeRaw: SECOND_ARGUMENT_HINT,
  onRetry: SECOND_ARGUMENT_HINT,
  schema: OUTPUT_HINT,
  responseFormat: OUTPUT_HINT,
  response_format: OUTPUT_HINT,
  n: 'Use `candidateCount`.',
  thinking: 'Use `reasoning: { effort }` or `reasoning: { budgetTokens }`.',
  stopSequences: STOP_HINT,
  stop_sequences: STOP_HINT,
}

const COMMON_OPTION_NAMES: OptionNames<Pick<CallOptions, 'signal' | 'includeRaw' | 'onRetry'>> = {
  signal: true,
  includeRaw: Boolean,
  onRetry: Function,
}

const CALL_OPTION_NAMES: OptionNames<CallOptions> = {
  ...COMMON_OPTION_NAMES,
  promptCaching: Boolean,
  exactFor: true,
}

/** The option names of the methods of background runs. */
const RUN_OPTION_NAMES: OptionNames<BackgroundRunOptions> = { ...CALL_OPTION_NAMES, request: true }
const WAIT_OPTION_NAMES: OptionNames<WaitOptions> = { ...RUN_OPTION_NAMES, pollIntervalMs: true }
const RUN_STREAM_OPTION_NAMES: OptionNames<BackgroundStreamOptions> = {
  ...CALL_OPTION_NAMES,
  onEventId: Function,
}
const RESUME_OPTION_NAMES: OptionNames<ResumeOptions> = {
  ...RUN_OPTION_NAMES,
  ...RUN_STREAM_OPTION_NAMES,
  after: true,
}

const DIMENSION_RANGE = new NumberRange('integer', 1)

const EMBEDDING_OPTION_NAMES: OptionNames<EmbeddingOptions> = {
  ...COMMON_OPTION_NAMES,
  dimensions: DIMENSION_RANGE,
  purpose: ['query', 'document'],
  concurrency: true,
  onProgress: Function,
}

/**
 * Returns the input as a valid request, and checks the options of the call. JavaScript callers get an error
 * that names the mistake.
 */
export function toChatRequest(input: ModelInput, options: CallOptions): ChatRequest {
  checkOptions('the call', options, CALL_OPTION_NAMES)
  checkSignal(options.signal)
  if (isObject(input) && !(input instanceof Messages))
    checkOptions('the request', input, REQUEST_NAMES, REQUEST_HINTS)
  const request = toMessageRequest(input)
  refuseAgentTools(request.tools)
  // A gateway passes on what its client sent: clients of Ollama load a model with an empty list.
  if (options.exactFor === undefined) refuseEmptyList(request.messages)
  return request
}

/** Refuses the tools of agents: a model only declares tools, and runs none. */
function refuseAgentTools(tools: unknown): void {
  if (!Array.isArray(tools)) return
  const index = tools.findIndex((tool) => isObject(tool) && 'definition' in tool)
  if (index === -1) return
  const hint = 'Pass its `definition`, or use an Agent, which runs the tools.'
  throwInvalid(
    'invalid-type',
    child(child(undefined, 'tools'), index),
    'a tool of an agent',
    'a declaration',
    hint,
  )
}

/** The codecs would add a placeholder: a model would answer, and charge for, a question that the caller did not ask. */
function refuseEmptyList(messages: ChatRequest['messages']): void {
  for (const _first of messages) return
  throw new InterlinguaError('invalid-value', 'The list of messages is empty', {
    path: '/messages',
    found: 'an empty list',
    expected: 'at least one message',
    hint: 'Check that the history was read, and append the message of the user.',
  })
}

function toMessageRequest(input: ModelInput): ChatRequest {
  if (typeof input === 'string') return { messages: promptToMessages(input, '') }
  if (Array.isArray(input) || input instanceof Messages) throwBareMessages()
  const messages: unknown = isObject(input) ? input.messages : undefined
  if (typeof messages === 'string') return { ...input, messages: promptToMessages(messages, '/messages') }
  checkMessages(messages)
  return input as ChatRequest
}

function throwBareMessages(): never {
  const hint = 'Pass the list as `messages`: { messages }.'
  throwInvalid('invalid-type', undefined, 'a list of messages', 'a prompt or a request', hint)
}

function promptToMessages(prompt: string, path: string): ChatRequest['messages'] {
  if (prompt.trim() !== '') return [user(prompt)]
  throw new InterlinguaError('invalid-value', 'The prompt is empty', {
    path,
    found: prompt === '' ? 'an empty string' : 'only white space',
    expected: 'text',
    hint: 'Pass the text of the user message.',
  })
}

function checkMessages(messages: unknown): void {
  if (messages instanceof Messages) return
  const path = child(undefined, 'messages')
  if (!isMessageList(messages)) throwInvalidMessages(path, messages, 'a list of messages')
  let index = 0
  for (const message of messages) {
    if (!isMessage(message)) throwInvalidMessage(child(path, index), message)
    index += 1
  }
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value['role'] === 'string' && Array.isArray(value['content'])
}

function throwInvalidMessage(path: Path, message: unknown): never {
  // The content of a message whose only mistake is a text in the place of the parts.
  const content = isObject(message) && typeof message['role'] === 'string' ? message['content'] : undefined
  if (content === undefined || findForeignFormat(message) !== undefined)
    throwInvalidMessages(path, message, 'a message with `role` and a list of content parts')
  throwInvalidMessages(child(path, 'content'), content, 'a list of content parts')
}

function throwInvalidMessages(path: Path, found: unknown, expected: string): never {
  const hint =
    findForeignFormat(found)?.hint ??
    "Pass a prompt such as 'Hi', or build messages with { messages: [user('Hi')] } or Messages.of('Hi')."
  throwInvalid('invalid-type', path, describeType(found), expected, hint)
}

/** Checks the options of a call about a background run. */
export const checkRunOptions = {
  get: (options: BackgroundRunOptions): void => checkOptions('the call', options, RUN_OPTION_NAMES),
  wait(options: WaitOptions): void {
    checkOptions('the call', options, WAIT_OPTION_NAMES)
    assertNumericSettings('', { pollIntervalMs: options.pollIntervalMs })
  },
  stream: (options: BackgroundStreamOptions): void =>
    checkOptions('the call', options, RUN_STREAM_OPTION_NAMES),
  resume: (options: ResumeOptions): void => checkOptions('the call', options, RESUME_OPTION_NAMES),
} as const

/** Checks that the texts are a list of strings, and the options of the call. */
export function checkEmbeddingInput(texts: readonly string[], options: EmbeddingOptions): void {
  checkOptions('the call', options, EMBEDDING_OPTION_NAMES)
  checkSignal(options.signal)
  const value: unknown = texts
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return
  throw new InterlinguaError('invalid-type', 'The texts to embed are invalid', {
    found: describeType(value),
    expected: 'a list of strings',
    hint: "Pass a list, even for a single text: ['…'].",
  })
}
