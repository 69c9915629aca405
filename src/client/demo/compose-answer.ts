import { reasoning, text, toolCall } from '../../canonical/build/parts.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { FunctionTool } from '../../canonical/model/tool.ts'
import { textOf, toolCallsOf, toolResultsOf } from '../../canonical/read/message-content.ts'
import { isObject, tryParseJson, type Json } from '../../wire/json.ts'
import { createValueForSchema } from './schema-value.ts'
import { PromptValues } from './prompt-values.ts'

/** Words that carry no meaning for the choice of a tool. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be by call can could do does for from get give go has have how i if in into is it its ' +
    'like make me my new of on one or our please set should so some tell that the their them then there these they this to ' +
    'tool two use us want was we what when where which who why will with would you your'
  ).split(' '),
)

/** Returns the simplest form of significant words: `getWeather` and `Weathers?` become `weather`. */
function extractKeywords(text: string): ReadonlySet<string> {
  const separated = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  const words = (separated.match(/\p{L}+/gu) ?? []).filter((word) => !STOP_WORDS.has(word))
  return new Set(words.map((word) => word.replace(/(?<=..)(s|ing|ed)$/, '')))
}

/** Scores how well a tool matches a prompt: a word of its name counts twice, a word of its description once. */
function scoreTool({ name, description = '' }: FunctionTool, prompt: ReadonlySet<string>): number {
  const named = extractKeywords(name)
  const described = [...extractKeywords(description)].filter((word) => !named.has(word))
  const hits = (words: Iterable<string>): number => [...words].filter((word) => prompt.has(word)).length
  return 2 * hits(named) + hits(described)
}

/** The score that is sufficient for a call: one word of the name or two of the description. */
const MIN_CALL_SCORE = 2

/** Returns the tools that the request allows to call, and whether one must be called. */
function readCallableTools({
  tools = [],
  toolChoice = 'auto',
}: ChatRequest): readonly [tools: readonly FunctionTool[], isCallRequired: boolean] {
  const own = tools.filter((tool) => tool.type === 'function')
  if (toolChoice === 'none') return [[], false]
  if (typeof toolChoice === 'string') return [own, toolChoice === 'required']
  const names = 'name' in toolChoice ? [toolChoice.name] : toolChoice.allowed
  const isCallRequired = 'name' in toolChoice || toolChoice.mode === 'required'
  return [own.filter(({ name }) => names.includes(name)), isCallRequired]
}

/**
 * Returns the tools to call for a prompt. Tools that were already called for it are called again only if the
 * request requires a call and has no other tools, so that the conversation ends.
 */
function chooseTools(request: ChatRequest, prompt: string, called: Set<string>): readonly FunctionTool[] {
  const [tools, isCallRequired] = readCallableTools(request)
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

/** The conversation as the demo model sees it: the last prompt and what followed it. */
interface ConversationState {
  readonly request: ChatRequest
  readonly prompt: string
  /** Calls and results since the prompt. */
  readonly calls: readonly ToolCallPart[]
  readonly results: readonly ToolResultPart[]
  /** The number of tool calls in the entire conversation. */
  readonly callCount: number
}

/** Returns the parts of the demo model's next message. */
export function composeDemoAnswer(request: ChatRequest): readonly AssistantPart[] {
  const state = readState(request)
  const called = [...state.calls, ...state.results].map(({ name }) => name ?? '')
  const tools = chooseTools(request, state.prompt, new Set(called))
  const parts =
    tools.length > 0
      ? tools.map((tool, index) => composeToolCall(tool, state, index))
      : [text(composeText(state))]
  return isReasoningEnabled(request) ? [reasoning(composeReasoning(state, tools)), ...parts] : parts
}

function readState(request: ChatRequest): ConversationState {
  const messages: readonly Message[] = [...request.messages]
  const promptIndex = messages.findLastIndex(({ role }) => role === 'user')
  const since = messages.slice(promptIndex + 1)
  const prompt = messages[promptIndex]
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

function composeReasoning(state: ConversationState, tools: readonly FunctionTool[]): string {
  const { prompt, results, request } = state
  if (tools.length > 0)
    return `The prompt matches ${tools.map(({ name }) => name).join(' and ')}, so I call that first.`
  if (results.length > 0) return 'The tools have returned results, so I report them.'
  if (request.output?.type === 'json')
    return 'The output must be JSON, so I fill it with words from the prompt.'
  return prompt === '' ? 'The prompt is empty.' : 'No tool matches the prompt, so I answer myself.'
}

function composeToolCall(tool: FunctionTool, state: ConversationState, index: number): ToolCallPart {
  const value = createValueForSchema(tool.input, () => readWords(state), 'needed')
  const id = `call_${state.callCount + index + 1}`
  return toolCall({ id, name: tool.name, arguments: isObject(value) ? value : {} })
}

function readWords({ prompt, results }: ConversationState): PromptValues {
  return new PromptValues(prompt, results.map(readResultData))
}

function composeText(state: ConversationState): string {
  const { prompt, calls, results } = state
  const { output } = state.request
  if (output?.type === 'json')
    return JSON.stringify(
      createValueForSchema(output.schema ?? { type: 'object' }, () => readWords(state), 'all'),
    )
  if (results.length > 0) return results.map((result) => describeResult(result, calls)).join(' ')
  if (prompt === '') return 'I am the demo model. Ask me something.'
  return `I am the demo model: I run offline and know nothing of the world. You said: “${prompt}”`
}

/** Describes a tool result in a sentence. */
function describeResult(result: ToolResultPart, calls: readonly ToolCallPart[]): string {
  const name = result.name ?? calls.find(({ id }) => id === result.callId)?.name ?? 'The tool'
  const data = readResultData(result)
  const summary = isObject(data)
    ? Object.entries(data)
        .map(([key, value]) => `${key}: ${toPlainText(value)}`)
        .join(', ')
    : toPlainText(data)
  return `${name} ${result.isError ? 'failed' : 'says'}: ${summary}.`
}

function toPlainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the content of a tool result, parsed if it is JSON. */
function readResultData(result: ToolResultPart): Json {
  const part = result.content.find(({ type }) => type === 'json')
  if (part?.type === 'json') return part.value
  const content = textOf(result, ' ')
  return tryParseJson(content) ?? content
}
