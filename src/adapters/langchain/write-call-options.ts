import type { Loss } from '../../canonical/model/loss.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ToolChoice } from '../../canonical/model/tool.ts'
import { langchain } from '../../formats/langchain/index.ts'
import { type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { CallLosses, type SettingSupport } from '../shared/call-losses.ts'

/** True for each setting for which every chat model has an option. Most settings are fields of the class of a provider. */
const SETTINGS: SettingSupport = {
  stop: true,
  tools: true,
  toolChoice: true,
  // The model of the adapter decides these.
  model: true,
  stream: true,
  maxOutputTokens: false,
  temperature: false,
  topP: false,
  topK: false,
  presencePenalty: false,
  frequencyPenalty: false,
  seed: false,
  output: false,
  parallelToolCalls: false,
  reasoning: false,
  candidateCount: false,
  logprobs: false,
  user: false,
  metadata: false,
  verbosity: false,
  serviceTier: false,
  store: false,
  promptCacheKey: false,
  safetyIdentifier: false,
  extra: false,
}

/** A call of a chat model, and what of the request it does not contain. */
export interface WrittenCall {
  /** In the serialized form of each. */
  readonly messages: readonly JsonObject[]
  /** Definitions as OpenAI has them, which every chat model accepts. */
  readonly tools: readonly JsonObject[]
  readonly toolChoice?: string
  readonly stop?: string[]
  readonly losses: readonly Loss[]
}

/** Returns the call of LangChain for a request. */
export function writeCall(request: ChatRequest): WrittenCall {
  const { value: messages, losses: messageLosses } = langchain.toMessages(request.messages)
  const losses = new CallLosses('langchain', messageLosses)
  losses.addSettings(request, SETTINGS)
  const tools = writeTools(request, losses)
  const { stop, toolChoice } = request
  return {
    messages: messages as unknown as readonly JsonObject[],
    tools,
    ...(toolChoice && tools.length > 0 && { toolChoice: writeToolChoice(toolChoice) }),
    ...(stop && { stop: [...stop] }),
    losses: losses.list,
  }
}

/** Writes the tools that the application runs. Of a list of allowed tools, which LangChain lacks, only these are sent. */
function writeTools(request: ChatRequest, losses: CallLosses): readonly JsonObject[] {
  const allowed = losses.findAllowedTools(request)
  return (request.tools ?? []).flatMap((tool, index): readonly JsonObject[] => {
    if (tool.type !== 'function') {
      losses.add('foreign-tool', child(child(undefined, 'tools'), index))
      return []
    }
    const { name, description, strict, input } = tool
    if (allowed?.has(name) === false) return []
    const definition = { name, parameters: input, ...omitUndefined({ description, strict }) } as JsonObject
    return [{ type: 'function', function: definition }]
  })
}

/** The words of LangChain for a choice. */
const CHOICES = { auto: 'auto', none: 'none', required: 'any' } as const

function writeToolChoice(choice: ToolChoice): string {
  if (typeof choice === 'string') return CHOICES[choice]
  return 'name' in choice ? choice.name : CHOICES[choice.mode]
}
