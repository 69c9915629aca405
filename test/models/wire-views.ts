import type { DialectName, Effort } from 'interlingua'
import type { RefusableSetting, ThinkingMode } from 'interlingua/models'

/** What a request body says about the things that models refuse, read from the wire and from nothing else. */
export interface WireView {
  readonly maxOutputTokens?: number
  /** The settings that the body contains. */
  readonly settings: ReadonlySet<RefusableSetting>
  readonly effort?: Effort
  readonly thinking?: ThinkingMode
  readonly budgetTokens?: number
  readonly isToolForced: boolean
  readonly hasFunctions: boolean
  readonly hasStrictTool: boolean
  readonly hasJsonOutput: boolean
  readonly hasOutputSchema: boolean
  readonly endsWithAnswer: boolean
  readonly hasLaterSystem: boolean
  /** True if the body has a field for system text. */
  readonly hasSystem?: boolean
  readonly hasCacheMarker: boolean
  readonly fields: readonly string[]
}

type Fields = { readonly [key: string]: unknown }

const objectOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(objectOf) : [])

/** The wire names of settings, at the top of the body or in the object that contains them. */
const settingNames: { readonly [key: string]: RefusableSetting } = {
  temperature: 'temperature',
  top_p: 'topP',
  topP: 'topP',
  top_k: 'topK',
  topK: 'topK',
  stop: 'stop',
  stop_sequences: 'stop',
  stopSequences: 'stop',
  seed: 'seed',
  random_seed: 'seed',
  presence_penalty: 'presencePenalty',
  presencePenalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  frequencyPenalty: 'frequencyPenalty',
  logprobs: 'logprobs',
  responseLogprobs: 'logprobs',
  top_logprobs: 'logprobs',
  n: 'candidateCount',
  parallel_tool_calls: 'parallelToolCalls',
  verbosity: 'verbosity',
}

function readSettings(...sources: readonly Fields[]): ReadonlySet<RefusableSetting> {
  return new Set(sources.flatMap((source) => Object.keys(source).flatMap((key) => settingNames[key] ?? [])))
}

function readAnthropic(body: Fields): WireView {
  const thinking = objectOf(body['thinking'])
  const output = objectOf(body['output_config'])
  const modes: { readonly [type: string]: ThinkingMode } = {
    adaptive: 'adaptive',
    enabled: 'budget',
    disabled: 'off',
    between_tools: 'between-tools',
  }
  const mode = modes[String(thinking['type'])]
  const messages = listOf(body['messages'])
  return {
    ...readCommon(body, body['max_tokens'], output['effort'], thinking['budget_tokens']),
    settings: readSettings(body),
    ...(mode !== undefined && { thinking: mode }),
    isToolForced: ['any', 'tool'].includes(String(objectOf(body['tool_choice'])['type'])),
    hasFunctions: listOf(body['tools']).some((tool) => 'input_schema' in tool),
    hasStrictTool: listOf(body['tools']).some(({ strict }) => strict === true),
    hasJsonOutput: 'format' in output,
    hasOutputSchema: 'format' in output,
    endsWithAnswer: messages.at(-1)?.['role'] === 'assistant',
    hasLaterSystem: messages.some(({ role }) => role === 'system'),
    hasCacheMarker: false,
  }
}

function readChat(body: Fields): WireView {
  const choice = body['tool_choice']
  const isList = objectOf(choice)['type'] === 'allowed_tools'
  const mode = isList ? objectOf(objectOf(choice)['allowed_tools'])['mode'] : choice
  const format = objectOf(body['response_format'])
  const functions = listOf(body['tools']).filter(({ type }) => type === 'function')
  return {
    ...readCommon(body, body['max_completion_tokens'] ?? body['max_tokens'], body['reasoning_effort']),
    settings: readSettings(body),
    isToolForced: mode === 'required' || (typeof choice === 'object' && !isList),
    hasFunctions: functions.length > 0,
    hasStrictTool: functions.some((tool) => objectOf(tool['function'])['strict'] === true),
    hasJsonOutput: String(format['type']).startsWith('json'),
    hasOutputSchema: format['type'] === 'json_schema',
    endsWithAnswer: listOf(body['messages']).at(-1)?.['role'] === 'assistant',
    hasLaterSystem: false,
    hasCacheMarker: JSON.stringify(body).includes('prompt_cache_breakpoint'),
  }
}

/** `any` is the tool choice that Chat Completions call `required`. */
function readMistral(body: Fields): WireView {
  const view = readChat(body)
  return { ...view, isToolForced: view.isToolForced || body['tool_choice'] === 'any' }
}

function readResponses(body: Fields): WireView {
  const choice = body['tool_choice']
  const { type, mode } = objectOf(choice)
  const format = objectOf(objectOf(body['text'])['format'])
  const functions = listOf(body['tools']).filter((tool) => tool['type'] === 'function')
  return {
    ...readCommon(body, body['max_output_tokens'], objectOf(body['reasoning'])['effort']),
    settings: readSettings(body, objectOf(body['text'])),
    isToolForced: choice === 'required' || mode === 'required' || type === 'function',
    hasFunctions: functions.length > 0,
    hasStrictTool: functions.some(({ strict }) => strict === true),
    hasJsonOutput: String(format['type']).startsWith('json'),
    hasOutputSchema: format['type'] === 'json_schema',
    endsWithAnswer: listOf(body['input']).at(-1)?.['role'] === 'assistant',
    hasLaterSystem: false,
    hasCacheMarker: JSON.stringify(body).includes('prompt_cache_breakpoint'),
  }
}

function readGemini(body: Fields): WireView {
  const config = objectOf(body['generationConfig'])
  const { thinkingBudget, thinkingLevel } = objectOf(config['thinkingConfig'])
  const calling = objectOf(objectOf(body['toolConfig'])['functionCallingConfig'])
  const mode = thinkingBudget === undefined ? undefined : readBudgetMode(thinkingBudget)
  const level = typeof thinkingLevel === 'string' ? thinkingLevel.toLowerCase() : undefined
  return {
    ...readCommon(body, config['maxOutputTokens'], level, mode === 'budget' ? thinkingBudget : undefined),
    settings: readSettings(config),
    ...(mode !== undefined && { thinking: mode }),
    isToolForced: calling['mode'] === 'ANY',
    hasFunctions: listOf(body['tools']).some((tool) => 'functionDeclarations' in tool),
    hasStrictTool: false,
    hasJsonOutput: config['responseMimeType'] === 'application/json',
    hasOutputSchema: 'responseJsonSchema' in config,
    endsWithAnswer: listOf(body['contents']).at(-1)?.['role'] === 'model',
    hasSystem: 'systemInstruction' in body,
    hasLaterSystem: false,
    hasCacheMarker: false,
  }
}

function readBudgetMode(budget: unknown): ThinkingMode {
  return budget === 0 ? 'off' : budget === -1 ? 'adaptive' : 'budget'
}

function readOllama(body: Fields): WireView {
  const { think } = body
  return {
    ...readCommon(body, undefined, typeof think === 'string' ? think : undefined),
    settings: new Set(),
    isToolForced: false,
    hasFunctions: false,
    hasStrictTool: false,
    hasJsonOutput: false,
    hasOutputSchema: false,
    endsWithAnswer: false,
    hasLaterSystem: false,
    hasCacheMarker: false,
  }
}

function readInteractions(body: Fields): WireView {
  const config = objectOf(body['generation_config'])
  const choice = config['tool_choice']
  const format = objectOf(body['response_format'])
  return {
    ...readCommon(body, config['max_output_tokens'], config['thinking_level']),
    settings: readSettings(config),
    isToolForced: choice === 'any' || objectOf(objectOf(choice)['allowed_tools'])['mode'] === 'any',
    hasFunctions: listOf(body['tools']).some(({ type }) => type === 'function'),
    hasStrictTool: false,
    hasJsonOutput: format['mime_type'] === 'application/json',
    hasOutputSchema: 'schema' in format,
    endsWithAnswer: listOf(body['input']).at(-1)?.['type'] === 'model_output',
    hasLaterSystem: false,
    hasCacheMarker: false,
  }
}

/** The fields of Claude are in `additionalModelRequestFields`, and the rest has names of its own. */
function readBedrock(body: Fields): WireView {
  const extra = objectOf(body['additionalModelRequestFields'])
  const config = objectOf(body['inferenceConfig'])
  const tools = listOf(objectOf(body['toolConfig'])['tools'])
  const choice = objectOf(objectOf(body['toolConfig'])['toolChoice'])
  const output = objectOf(body['outputConfig'])
  const claude = readAnthropic(extra)
  return {
    ...claude,
    ...readCommon(extra, config['maxTokens'], output['effort'], objectOf(extra['thinking'])['budget_tokens']),
    settings: readSettings(extra, config),
    isToolForced: 'any' in choice || 'tool' in choice,
    hasFunctions: tools.some((tool) => 'toolSpec' in tool),
    hasStrictTool: tools.some((tool) => objectOf(tool['toolSpec'])['strict'] === true),
    hasJsonOutput: 'textFormat' in output,
    hasOutputSchema: 'textFormat' in output,
    endsWithAnswer: listOf(body['messages']).at(-1)?.['role'] === 'assistant',
    hasLaterSystem: listOf(body['messages']).some(({ role }) => role === 'system'),
  }
}

function readCohere(body: Fields): WireView {
  const view = readChat(body)
  return {
    ...view,
    settings: readSettings(body),
    isToolForced: body['tool_choice'] === 'REQUIRED',
    hasOutputSchema: 'json_schema' in objectOf(body['response_format']),
  }
}

function readCommon(
  body: Fields,
  limit: unknown,
  effort: unknown,
  budget?: unknown,
): Pick<WireView, 'maxOutputTokens' | 'effort' | 'budgetTokens' | 'fields'> {
  return {
    ...(typeof limit === 'number' && { maxOutputTokens: limit }),
    ...(typeof effort === 'string' && { effort: effort as Effort }),
    ...(typeof budget === 'number' && { budgetTokens: budget }),
    fields: Object.keys(body),
  }
}

const readers: { readonly [name in DialectName]: (body: Fields) => WireView } = {
  anthropic: readAnthropic,
  'openai-chat': readChat,
  'openai-responses': readResponses,
  gemini: readGemini,
  ollama: readOllama,
  mistral: readMistral,
  'gemini-interactions': readInteractions,
  bedrock: readBedrock,
  cohere: readCohere,
}

export function readWireView(dialect: DialectName, body: object): WireView {
  return readers[dialect](objectOf(body))
}
