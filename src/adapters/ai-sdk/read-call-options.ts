import type { LanguageModelV3CallOptions, SharedV3Warning } from '@ai-sdk/provider'
import type { Loss } from '../../canonical/model/loss.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { aiSdkModelMessages } from '../../formats/ai-sdk-model-messages/index.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { child } from '../../wire/json-pointer.ts'
import { isObject, type JsonObject, omitUndefined } from '../../wire/json.ts'

type Mutable<T> = { -readonly [key in keyof T]: T[key] }

/** The key of `providerOptions` whose fields become settings of the request. */
const OWN_OPTIONS = 'interlingua'

/** The settings that the SDK has no option for. */
const OWN_SETTINGS = [
  'reasoning',
  'parallelToolCalls',
  'user',
  'metadata',
  'verbosity',
  'serviceTier',
  'store',
  'promptCacheKey',
  'safetyIdentifier',
] as const satisfies readonly (keyof ChatRequest)[]

/** A request, and what of the options it does not contain. */
export interface ReadCallOptions {
  readonly request: ChatRequest
  readonly warnings: readonly SharedV3Warning[]
}

/** Returns the request of a call of the SDK. */
export function readCallOptions(options: LanguageModelV3CallOptions): ReadCallOptions {
  return withTypedErrors(() => readOptionsOfCall(options), [options])
}

function readOptionsOfCall(options: LanguageModelV3CallOptions): ReadCallOptions {
  if (!isObject(options)) return throwWrongType(options, undefined, 'the options of a call')
  checkLists(options)
  const { prompt, tools = [], toolChoice, responseFormat, stopSequences, providerOptions = {} } = options
  const { value: messages, losses } = aiSdkModelMessages.fromMessages(prompt)
  const { maxOutputTokens, temperature, topP, topK, presencePenalty, frequencyPenalty, seed } = options
  const numbers = { maxOutputTokens, temperature, topP, topK, presencePenalty, frequencyPenalty, seed }
  const request: ChatRequest = {
    messages,
    ...omitUndefined(numbers),
    ...readOwnSettings(providerOptions[OWN_OPTIONS]),
    ...(tools.length > 0 && { tools: tools.map(readTool) }),
    ...(toolChoice && tools.length > 0 && { toolChoice: readToolChoice(toolChoice) }),
    ...(responseFormat?.type === 'json' && { output: readOutput(responseFormat) }),
    ...(stopSequences && stopSequences.length > 0 && { stop: stopSequences }),
  }
  const otherOptions = Object.keys(providerOptions).filter((key) => key !== OWN_OPTIONS)
  const warnings = otherOptions.map((provider): SharedV3Warning => ({
    type: 'unsupported',
    feature: `providerOptions.${provider}`,
    details: `Use providerOptions.${OWN_OPTIONS} with settings of the request, such as reasoning.`,
  }))
  return { request, warnings: [...warnings, ...toWarnings(losses)] }
}

/** Checks the options that are lists; what the entries contain is checked where it is read. */
function checkLists({ tools = [], stopSequences = [] }: LanguageModelV3CallOptions): void {
  for (const [name, list] of Object.entries({ tools, stopSequences })) {
    const path = child(undefined, name)
    if (!Array.isArray(list)) throwWrongType(list, path, 'a list')
  }
  for (const [index, tool] of tools.entries())
    if (!isObject(tool)) throwWrongType(tool, child(child(undefined, 'tools'), index), 'a tool')
}

/** Returns losses as warnings of the SDK, which it prints. Notes change nothing for the model or the user. */
export function toWarnings(losses: readonly Loss[]): readonly SharedV3Warning[] {
  return losses
    .filter(({ severity }) => severity === 'loss')
    .map(({ path, reason }) => ({ type: 'unsupported', feature: path, details: reason }))
}

/** Returns the settings among the own options; the model checks their values. */
function readOwnSettings(options: unknown): Partial<ChatRequest> {
  if (!isObject(options)) return {}
  const given: Partial<ChatRequest> = options
  return omitUndefined(Object.fromEntries(OWN_SETTINGS.map((name) => [name, given[name]])))
}

function readOutput(
  format: Extract<LanguageModelV3CallOptions['responseFormat'], { readonly type: 'json' }>,
): NonNullable<ChatRequest['output']> {
  const { schema, name, description } = format
  return { type: 'json', ...omitUndefined({ schema: schema as JsonObject | undefined, name, description }) }
}

function readTool(tool: NonNullable<LanguageModelV3CallOptions['tools']>[number]): Tool {
  if (tool.type === 'provider') {
    const [provider = '', ...name] = tool.id.split('.')
    return { type: 'provider', provider, name: name.join('.'), options: toSnakeCaseKeys(tool.args) }
  }
  const { name, description, inputSchema, strict } = tool
  const fields: Mutable<Pick<Tool & { type: 'function' }, 'description' | 'strict'>> = omitUndefined({
    description,
    strict,
  })
  return { type: 'function', name, input: inputSchema as JsonObject, ...fields }
}

function readToolChoice(choice: NonNullable<LanguageModelV3CallOptions['toolChoice']>): ToolChoice {
  return choice.type === 'tool' ? { name: choice.toolName } : choice.type
}

/** The SDK names options in camel case, where the APIs of providers have snake case. */
function toSnakeCaseKeys(args: Record<string, unknown>): JsonObject {
  const entries = Object.entries(args).map(([key, value]) => [
    key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return Object.fromEntries(entries) as JsonObject
}
