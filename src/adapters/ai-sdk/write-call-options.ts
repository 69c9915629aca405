import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { Loss } from '../../canonical/model/loss.ts'
import type { CallOptions } from '../../canonical/model/model-interface.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ToolChoice } from '../../canonical/model/tool.ts'
import { aiSdkModelMessages } from '../../formats/ai-sdk-model-messages/index.ts'
import { InterlinguaError } from '../../errors.ts'
import { describeType, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { tryParseUrl } from '../../wire/urls.ts'
import { CallLosses, type SettingSupport } from '../shared/call-losses.ts'

/** The target of the losses. */
export const TARGET = { dialect: 'ai-sdk' } as const

/** True for each setting for which the SDK has an option. */
const SETTINGS: SettingSupport = {
  maxOutputTokens: true,
  temperature: true,
  topP: true,
  topK: true,
  presencePenalty: true,
  frequencyPenalty: true,
  seed: true,
  stop: true,
  tools: true,
  toolChoice: true,
  output: true,
  // The model of the adapter decides these.
  model: true,
  stream: true,
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

/** The options of a call, and what of the request they do not contain. */
export interface WrittenCallOptions {
  readonly call: LanguageModelV3CallOptions
  readonly losses: readonly Loss[]
}

/** Returns the options of the SDK for a request. */
export function writeCallOptions(request: ChatRequest, { signal }: CallOptions): WrittenCallOptions {
  const { value, losses: messageLosses } = aiSdkModelMessages.toMessages(request.messages)
  const losses = new CallLosses(TARGET.dialect, messageLosses)
  losses.addSettings(request, SETTINGS)
  const { maxOutputTokens, temperature, topP, topK, presencePenalty, frequencyPenalty, seed } = request
  const numbers = { maxOutputTokens, temperature, topP, topK, presencePenalty, frequencyPenalty, seed }
  const tools = writeTools(request, losses)
  const { stop, output, toolChoice } = request
  return {
    call: {
      prompt: value.map((message) => toPromptMessage(message as JsonObject)) as LanguageModelV3Prompt,
      ...omitUndefined(numbers),
      ...(stop && { stopSequences: [...stop] }),
      ...(tools.length > 0 && { tools }),
      ...(toolChoice && tools.length > 0 && { toolChoice: writeToolChoice(toolChoice) }),
      ...(output?.type === 'json' && { responseFormat: writeOutput(output) }),
      ...(signal && { abortSignal: signal }),
    },
    losses: losses.list,
  }
}

/** Returns a message as the providers of the SDK get it: content is a list, and images are files. */
function toPromptMessage({ role, content, ...others }: JsonObject): JsonObject {
  if (role === 'system') return { role, content: content ?? '', ...others }
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content as JsonObject[])
  return { role: role as string, content: parts.map(toPromptPart), ...others }
}

function toPromptPart(part: JsonObject): JsonObject {
  const { type, image, data = image, mediaType = 'image/*', ...others } = part
  if (type !== 'image' && type !== 'file') return part
  const isUrl = typeof data === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(data)
  return { type: 'file', data: isUrl ? parseMediaUrl(data) : data, mediaType, ...others } as JsonObject
}

/** Returns a parsed URL: to the SDK, a text is base64. */
function parseMediaUrl(text: string): URL {
  const url = tryParseUrl(text)
  if (url !== undefined) return url
  throw new InterlinguaError('invalid-value', 'The URL of an image or a file is invalid', {
    path: '/messages',
    found: describeType(text),
    expected: 'an absolute URL, which the AI SDK gets as a `URL`',
    hint: 'Correct the `source` of the part, or remove the part.',
  })
}

type CallTools = NonNullable<LanguageModelV3CallOptions['tools']>

/** Writes the tools. Of a list of allowed tools, which the SDK does not have, only these are sent. */
function writeTools(request: ChatRequest, losses: CallLosses): CallTools {
  const allowed = losses.findAllowedTools(request)
  return (request.tools ?? []).flatMap((tool, index): CallTools => {
    if (tool.type === 'opaque') {
      losses.add('foreign-tool', child(child(undefined, 'tools'), index))
      return []
    }
    const { name } = tool
    if (allowed?.has(name) === false) return []
    if (tool.type === 'provider')
      return [{ type: 'provider', id: `${tool.provider}.${name}`, name, args: { ...tool.options } }]
    const { description, strict, input } = tool
    return [
      { type: 'function', name, inputSchema: input as object, ...omitUndefined({ description, strict }) },
    ]
  })
}

function writeToolChoice(choice: ToolChoice): NonNullable<LanguageModelV3CallOptions['toolChoice']> {
  if (typeof choice === 'string') return { type: choice }
  return 'name' in choice ? { type: 'tool', toolName: choice.name } : { type: choice.mode }
}

function writeOutput({
  schema,
  name,
  description,
}: NonNullable<ChatRequest['output']>): NonNullable<LanguageModelV3CallOptions['responseFormat']> {
  return { type: 'json', ...omitUndefined({ schema, name, description }) }
}
