import type { OptionNames } from '../../wire/check-options.ts'
import { isObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Translation } from '../model/loss.ts'
import type { ChatRequest } from '../model/request.ts'
import type { Tool, ToolChoice } from '../model/tool.ts'
import { requestShape } from '../shape/request.ts'
import { readCanonicalValue, throwWrongType } from '../shape/shape.ts'
import {
  collectSanitizeLosses,
  dropFields,
  omitKey,
  sanitizeMessages,
  type SanitizeReport,
} from './sanitize.ts'
import { checkPolicy, type SanitizePolicy, sanitizePolicyNames } from './sanitize-policy.ts'
import { callCallback, withTypedErrors } from '../../wire/typed-errors.ts'

/** The fields of a request that are neither messages, tools, metadata nor residue. */
export type RequestSetting = Exclude<keyof ChatRequest, 'messages' | 'tools' | 'metadata' | 'extra'>

/**
 * The settings, and whether a client may choose them by default. Those that it may not choose decide what a request
 * costs (model, tokens, candidates, reasoning, tier), who it is for, or what the provider stores and shares.
 */
const SETTINGS_OF_CLIENTS: { readonly [name in RequestSetting]: boolean } = {
  model: false,
  toolChoice: true,
  parallelToolCalls: true,
  output: true,
  reasoning: false,
  maxOutputTokens: false,
  temperature: true,
  topP: true,
  topK: true,
  stop: true,
  seed: true,
  presencePenalty: true,
  frequencyPenalty: true,
  candidateCount: false,
  logprobs: true,
  stream: true,
  user: false,
  verbosity: true,
  serviceTier: false,
  store: false,
  promptCacheKey: false,
  safetyIdentifier: false,
}

const requestSettings = Object.keys(SETTINGS_OF_CLIENTS) as readonly RequestSetting[]

/**
 * The settings that {@link sanitizeRequest} keeps by default.
 *
 * @example
 * sanitizeRequest(request, { settings: [...CLIENT_SETTINGS, 'model'] })
 */
export const CLIENT_SETTINGS: readonly RequestSetting[] = Object.freeze(
  requestSettings.filter((name) => SETTINGS_OF_CLIENTS[name]),
)

/** Options of {@link sanitizeRequest}: those of {@link sanitize}, and what to keep of the rest of a request. */
export interface SanitizeRequestPolicy extends SanitizePolicy {
  /**
   * The settings to keep, as a list or a function that also sees the value. Default: {@link CLIENT_SETTINGS}, which
   * excludes those that decide what a request costs, who it is for, and what the provider stores.
   */
  readonly settings?: readonly RequestSetting[] | ((name: RequestSetting, value: unknown) => boolean)
  /** The keys of the request's metadata to keep. Default: none. */
  readonly metadataKeys?: readonly string[]
  /** Tools that the provider runs, such as a web search or a remote MCP server. Default: drop. */
  readonly providerTools?: 'drop' | 'keep' | ((name: string, provider: string) => boolean)
  /** Tools that the application runs. Drop them if the server has its own tools. Default: keep. */
  readonly functionTools?: 'drop' | 'keep'
}

const requestPolicyNames: OptionNames<SanitizeRequestPolicy> = {
  ...sanitizePolicyNames,
  settings: true,
  metadataKeys: true,
  providerTools: true,
  functionTools: true,
}

/** The policy with its defaults for requests, and the report of losses. */
interface RequestContext {
  readonly policy: SanitizeRequestPolicy
  readonly report: SanitizeReport
}

/**
 * Removes from a request what an untrusted client could have forged: everything that {@link sanitize} removes from its
 * messages, a final assistant turn, residue, provider tools, metadata, and the settings that decide what the request
 * costs, who it is for and what the provider stores. Set those in the result. Every removal is a loss with its path.
 *
 * @example
 * const { value, losses } = sanitizeRequest(parseRequest(body), { settings: [...CLIENT_SETTINGS, 'reasoning'] })
 * const reply = await model.generate({ ...value, maxOutputTokens: 4096 })
 */
export function sanitizeRequest(
  request: ChatRequest,
  policy: SanitizeRequestPolicy = {},
): Translation<ChatRequest> {
  return withTypedErrors(() => {
    checkPolicy('sanitizeRequest', policy, requestPolicyNames)
    if (!isObject(request)) return throwWrongType(request, undefined, 'a request: an object')
    const { messages, ...fields } = request
    const checked = readCanonicalValue(requestShape, { ...fields, messages: [] }, undefined)
    return collectSanitizeLosses((report) => {
      const context = { policy: { prefill: 'drop', ...policy } as const, report }
      const settings = dropMetadata(
        dropSettings(dropFields(checked, undefined, keepMetadata(context)), context),
        context,
      )
      const list = sanitizeMessages(messages, child(undefined, 'messages'), context.policy, report)
      return readCanonicalValue(
        requestShape,
        sanitizeTools({ ...settings, messages: list }, context),
        undefined,
      )
    })
  }, [request, policy])
}

/** Metadata of a request is an allow-list of keys and not a field that is dropped. */
function keepMetadata({ policy, report }: RequestContext): RequestContext {
  return { policy: { ...policy, metadata: 'keep' }, report }
}

function dropSettings(request: ChatRequest, { policy, report }: RequestContext): ChatRequest {
  const { settings = CLIENT_SETTINGS } = policy
  const isKept = (name: RequestSetting): boolean =>
    typeof settings === 'function'
      ? callCallback(() => settings(name, request[name]))
      : settings.includes(name)
  return requestSettings
    .filter((name) => name in request && !isKept(name))
    .reduce((rest, name) => dropSetting(rest, name, report), request)
}

function dropSetting(request: ChatRequest, name: RequestSetting, report: SanitizeReport): ChatRequest {
  report('untrusted-setting', child(undefined, name))
  return omitKey(request, name)
}

function dropMetadata(request: ChatRequest, { policy, report }: RequestContext): ChatRequest {
  if (request.metadata === undefined) return request
  const { metadataKeys = [] } = policy
  const path = child(undefined, 'metadata')
  const kept = Object.entries(request.metadata).filter(([key]) => metadataKeys.includes(key))
  const dropped = Object.keys(request.metadata).filter((key) => !metadataKeys.includes(key))
  for (const key of dropped) report('untrusted-metadata', child(path, key))
  if (kept.length > 0)
    return dropped.length === 0 ? request : { ...request, metadata: Object.fromEntries(kept) }
  if (dropped.length === 0) report('untrusted-metadata', path)
  return omitKey(request, 'metadata')
}

function sanitizeTools(request: ChatRequest, context: RequestContext): ChatRequest {
  if (request.tools === undefined) return request
  const path = child(undefined, 'tools')
  const tools = request.tools.flatMap((tool, index) => sanitizeTool(tool, child(path, index), context))
  if (tools.length === request.tools.length) return { ...request, tools }
  const rest = tools.length === 0 ? omitKey(request, 'tools') : { ...request, tools }
  return fitToolChoice(rest, tools, context)
}

function sanitizeTool(tool: Tool, path: Path, context: RequestContext): readonly Tool[] {
  const { policy, report } = context
  if (isAllowedTool(tool, policy)) return [dropFields(tool, path, context)]
  report(tool.type === 'opaque' ? 'untrusted-opaque' : 'untrusted-tool', path)
  return []
}

function isAllowedTool(tool: Tool, policy: SanitizeRequestPolicy): boolean {
  const { providerTools = 'drop' } = policy
  switch (tool.type) {
    case 'function':
      return policy.functionTools !== 'drop'
    case 'opaque':
      return policy.opaque === 'keep'
    case 'provider':
      return typeof providerTools === 'function'
        ? callCallback(() => providerTools(tool.name, tool.provider))
        : providerTools === 'keep'
  }
}

/** Drops a choice that names a dropped tool, or that needs tools: providers reject it. */
function fitToolChoice(
  request: ChatRequest,
  tools: readonly Tool[],
  { report }: RequestContext,
): ChatRequest {
  const { toolChoice } = request
  if (toolChoice === undefined || isPossibleChoice(toolChoice, tools)) return request
  return dropSetting(request, 'toolChoice', report)
}

function isPossibleChoice(choice: ToolChoice, tools: readonly Tool[]): boolean {
  if (typeof choice === 'string') return choice !== 'required' || tools.length > 0
  const names = new Set(tools.flatMap((tool) => (tool.type === 'opaque' ? [] : [tool.name])))
  return 'name' in choice ? names.has(choice.name) : choice.allowed.every((name) => names.has(name))
}
