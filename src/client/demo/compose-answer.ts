import { reasoning, toolCall } from '../../canonical/build/parts.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { FunctionTool } from '../../canonical/model/tool.ts'
import { textOf, toolCallsOf, toolResultsOf } from '../../canonical/read/message-content.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { createSchemaValue } from './schema-value.ts'
import { PromptWords } from './prompt-words.ts'

/** Words that say nothing of what is meant. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be by call can could do does for from get give go has have how i if in into is it its ' +
    'like make me my new of on one or our please set should so some tell that the their them then there these they this to ' +
    'tool two use us want was we what when where which who why will with would you your'
  ).split(' '),
)

/** The telling words of a text, in their simplest form: `getWeather` and `Weathers?` both give `weather`. */
function extractKeywords(text: string): ReadonlySet<string> {
  const words = text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/\p{L}+/gu)
  return new Set(
    (words ?? [])
      .filter((word) => !STOP_WORDS.has(word))
      .map((word) => word.replace(/(?<=..)(s|ing|ed)$/, '')),
  )
}

/** How well a tool fits a prompt: a word of its name counts twice, one that only its description has once. */
function scoreTool({ name, description = '' }: FunctionTool, prompt: ReadonlySet<string>): number {
  const named = extractKeywords(name)
  const described = [...extractKeywords(description)].filter((word) => !named.has(word))
  const hits = (words: Iterable<string>): number => [...words].filter((word) => prompt.has(word)).length
  return 2 * hits(named) + hits(described)
}

/** What is enough for a call: a word of the name, or two of the description. */
const MIN_CALL_SCORE = 2

/** What the request says about calling. */
interface CallableTools {
  readonly tools: readonly FunctionTool[]
  readonly isCallRequired: boolean
}

function readCallableTools({ tools = [], toolChoice = 'auto' }: ChatRequest): CallableTools {
  const own = tools.filter((tool) => tool.type === 'function')
  if (toolChoice === 'none') return { tools: [], isCallRequired: false }
  if (typeof toolChoice === 'string') return { tools: own, isCallRequired: toolChoice === 'required' }
  const names = 'name' in toolChoice ? [toolChoice.name] : toolChoice.allowed
  const forced = 'name' in toolChoice || toolChoice.mode === 'required'
  return { tools: own.filter(({ name }) => names.includes(name)), isCallRequired: forced }
}

/**
 * The tools to call for a prompt. Those that were called for it already are called again only where the request insists on
 * a call and has no others, so that a conversation comes to an end.
 */
export function chooseTools(
  request: ChatRequest,
  prompt: string,
  called: ReadonlySet<string>,
): readonly FunctionTool[] {
  const { tools, isCallRequired } = readCallableTools(request)
  if (called.size > 0 && !isCallRequired) return []
  const words = extractKeywords(prompt)
  const open = tools.filter(({ name }) => !called.has(name))
  const ranked = (open.length > 0 ? open : tools)
    .map((tool) => ({ tool, fit: scoreTool(tool, words) }))
    .toSorted((a, b) => b.fit - a.fit)
  const fitting = ranked.filter(({ fit }) => fit >= MIN_CALL_SCORE)
  const chosen = fitting.length === 0 && isCallRequired ? ranked.slice(0, 1) : fitting
  return chosen.slice(0, request.parallelToolCalls === false ? 1 : undefined).map(({ tool }) => tool)
}

/** A conversation as the demo model sees it: what was asked last, and what came of it so far. */
interface ConversationState {
  readonly request: ChatRequest
  readonly prompt: string
  /** Calls and results since the prompt. */
  readonly calls: readonly ToolCallPart[]
  readonly results: readonly ToolResultPart[]
  /** How many calls the whole conversation holds. */
  readonly callCount: number
}

/** What the demo model says next. */
export function composeAnswer(request: ChatRequest): readonly AssistantPart[] {
  const state = readState(request)
  const called = [...state.calls, ...state.results].map(({ name }) => name ?? '')
  const tools = chooseTools(request, state.prompt, new Set(called))
  const parts =
    tools.length > 0
      ? tools.map((tool, index) => composeToolCall(tool, state, index))
      : [composeTextPart(state)]
  return isReasoningEnabled(request) ? [reasoning(composeReasoning(state, tools)), ...parts] : parts
}

function readState(request: ChatRequest): ConversationState {
  const messages: readonly Message[] = [...request.messages]
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const since = messages.slice(asked + 1)
  const prompt = messages[asked]
  return {
    request,
    prompt: prompt === undefined ? '' : textOf(prompt, ' ').trim(),
    calls: since.flatMap((message) => toolCallsOf(message)),
    results: since.flatMap((message) => toolResultsOf(message)),
    callCount: messages.flatMap((message) => toolCallsOf(message)).length,
  }
}

function isReasoningEnabled({ reasoning: settings = {} }: ChatRequest): boolean {
  return settings.enabled !== false && settings.effort !== 'none'
}

function composeReasoning(
  { prompt, results, request }: ConversationState,
  tools: readonly FunctionTool[],
): string {
  if (tools.length > 0)
    return `The words fit ${tools.map(({ name }) => name).join(' and ')}: I call that first.`
  if (results.length > 0) return 'The tools have answered: I tell what they say.'
  if (request.output?.type === 'json') return 'A value is asked for: I fill it with the words that I find.'
  return prompt === '' ? 'Nothing was asked.' : 'No tool fits these words: I answer myself.'
}

function composeToolCall(
  tool: FunctionTool,
  { prompt, results, callCount }: ConversationState,
  index: number,
): ToolCallPart {
  const value = createSchemaValue(
    tool.input,
    () => new PromptWords(prompt, results.map(readResultData)),
    'needed',
  )
  return toolCall({
    id: `call_${callCount + index + 1}`,
    name: tool.name,
    arguments: isObject(value) ? value : {},
  })
}

function composeTextPart(now: ConversationState): AssistantPart {
  return { type: 'text', text: composeText(now) }
}

function composeText({ request: { output }, prompt, calls, results }: ConversationState): string {
  if (output?.type === 'json') {
    const words = (): PromptWords => new PromptWords(prompt, results.map(readResultData))
    return JSON.stringify(createSchemaValue(output.schema ?? { type: 'object' }, words, 'all'))
  }
  if (results.length > 0) return results.map((result) => describeResult(result, calls)).join(' ')
  if (prompt === '') return 'I am the demo model. Ask me something.'
  return `I am the demo model: I run offline and know nothing of the world. You said: “${prompt}”`
}

/** A result in a sentence. */
function describeResult(result: ToolResultPart, calls: readonly ToolCallPart[]): string {
  const name = result.name ?? calls.find(({ id }) => id === result.callId)?.name ?? 'The tool'
  const data = readResultData(result)
  const words = isObject(data)
    ? Object.entries(data)
        .map(([key, value]) => `${key}: ${toPlainText(value)}`)
        .join(', ')
    : toPlainText(data)
  return `${name} ${result.isError ? 'failed' : 'says'}: ${words}.`
}

function toPlainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What a result says, as data where it is data. */
function readResultData(result: ToolResultPart): Json {
  const part = result.content.find(({ type }) => type === 'json')
  if (part?.type === 'json') return part.value
  const text = textOf(result, ' ')
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
