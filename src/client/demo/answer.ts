import { reasoning, toolCall } from '../../canonical/build/parts.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { FunctionTool } from '../../canonical/model/tool.ts'
import { textOf, toolCallsOf, toolResultsOf } from '../../canonical/read/text.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { toolsToCall } from './intent.ts'
import { valueFor } from './value.ts'
import { Words } from './words.ts'

/** A conversation as the demo model sees it: what was asked last, and what came of it so far. */
interface Situation {
  readonly request: ChatRequest
  readonly prompt: string
  /** Calls and results since the prompt. */
  readonly calls: readonly ToolCallPart[]
  readonly results: readonly ToolResultPart[]
  /** How many calls the whole conversation holds. */
  readonly callCount: number
}

/** What the demo model says next. */
export function answerTo(request: ChatRequest): readonly AssistantPart[] {
  const now = situationOf(request)
  const called = [...now.calls, ...now.results].map(({ name }) => name ?? '')
  const tools = toolsToCall(request, now.prompt, new Set(called))
  const said = tools.length > 0 ? tools.map((tool, index) => callOf(tool, now, index)) : [inWords(now)]
  return thinks(request) ? [reasoning(thoughtOf(now, tools)), ...said] : said
}

function situationOf(request: ChatRequest): Situation {
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

function thinks({ reasoning: settings = {} }: ChatRequest): boolean {
  return settings.enabled !== false && settings.effort !== 'none'
}

function thoughtOf({ prompt, results, request }: Situation, tools: readonly FunctionTool[]): string {
  if (tools.length > 0)
    return `The words fit ${tools.map(({ name }) => name).join(' and ')}: I call that first.`
  if (results.length > 0) return 'The tools have answered: I tell what they say.'
  if (request.output?.type === 'json') return 'A value is asked for: I fill it with the words that I find.'
  return prompt === '' ? 'Nothing was asked.' : 'No tool fits these words: I answer myself.'
}

function callOf(tool: FunctionTool, { prompt, results, callCount }: Situation, index: number): ToolCallPart {
  const value = valueFor(tool.input, () => new Words(prompt, results.map(dataOf)), 'needed')
  return toolCall({
    id: `call_${callCount + index + 1}`,
    name: tool.name,
    arguments: isObject(value) ? value : {},
  })
}

function inWords(now: Situation): AssistantPart {
  return { type: 'text', text: wordsFor(now) }
}

function wordsFor({ request: { output }, prompt, calls, results }: Situation): string {
  if (output?.type === 'json') {
    const words = (): Words => new Words(prompt, results.map(dataOf))
    return JSON.stringify(valueFor(output.schema ?? { type: 'object' }, words, 'all'))
  }
  if (results.length > 0) return results.map((result) => toldBy(result, calls)).join(' ')
  if (prompt === '') return 'I am the demo model. Ask me something.'
  return `I am the demo model: I run offline and know nothing of the world. You said: “${prompt}”`
}

/** A result in a sentence. */
function toldBy(result: ToolResultPart, calls: readonly ToolCallPart[]): string {
  const name = result.name ?? calls.find(({ id }) => id === result.callId)?.name ?? 'The tool'
  const data = dataOf(result)
  const words = isObject(data)
    ? Object.entries(data)
        .map(([key, value]) => `${key}: ${plain(value)}`)
        .join(', ')
    : plain(data)
  return `${name} ${result.isError ? 'failed' : 'says'}: ${words}.`
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What a result says, as data where it is data. */
function dataOf(result: ToolResultPart): Json {
  const part = result.content.find(({ type }) => type === 'json')
  if (part?.type === 'json') return part.value
  const text = textOf(result, ' ')
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
