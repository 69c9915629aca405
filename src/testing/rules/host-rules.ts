// The refusals of hosts, read from the rows of their flavors: what a host does not support, and the fields that it requires.
import { getFlavor as getAnthropicFlavor } from '../../dialects/anthropic/flavors.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import type { RefusableSetting } from '../../canonical/model/capabilities.ts'
import { findHostEfforts } from '../../dialects/openai-chat/fit-host.ts'
import { getFlavor as getChatFlavor } from '../../dialects/openai-chat/flavors.ts'
import type { OpenAIChatFlavor } from '../../dialects/openai-chat/flavor-type.ts'
import { getFlavor as getResponsesFlavor } from '../../dialects/openai-responses/flavors.ts'
import { isObject, type Json } from '../../wire/json.ts'
import {
  getObject,
  getText,
  listObjects,
  refuse,
  type RequestProblem,
  type Violation,
  type WireObject,
} from './request-rule.ts'

type SettingFields = { readonly [setting in RefusableSetting]?: string }

const chatFields: SettingFields = {
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  logprobs: 'logprobs',
  candidateCount: 'n',
  parallelToolCalls: 'parallel_tool_calls',
  metadata: 'metadata',
  user: 'user',
  stop: 'stop',
}

const messagesFields: SettingFields = { topK: 'top_k', stop: 'stop_sequences', user: 'metadata' }

/** Returns the problems of a body by the row of a host. Bodies that differ from the dialect itself are not checked by its schema. */
export function findHostProblems(
  dialect: DialectName,
  flavor: string,
  body: WireObject,
): readonly RequestProblem[] {
  const found = hostChecks[dialect]?.(body, flavor) ?? []
  return Array.from(found, (violation) => ({ rule: 'host', ...violation }))
}

const hostChecks: {
  readonly [dialect in DialectName]?: (body: WireObject, flavor: string) => readonly Violation[]
} = {
  'openai-chat': (body, flavor) => findChatProblems(body, getChatFlavor({ flavor })),
  'openai-responses': (body, flavor) => findResponsesProblems(body, flavor),
  anthropic: (body, flavor) => findMessagesProblems(body, flavor),
}

const refuseField = (path: string): readonly Violation[] =>
  refuse(path, `Unsupported field: '${path.slice(1).replaceAll('/', '.')}'`)

function findRefusedSettings(
  body: WireObject,
  refused: readonly RefusableSetting[] = [],
  fields: SettingFields,
): readonly Violation[] {
  return refused.flatMap((setting) => {
    const key = fields[setting] ?? ''
    const value = body[key] ?? null
    // The default of a setting is accepted.
    const isDefault = value === null || value === false || value === 0 || (key === 'n' && value === 1)
    return isDefault && key !== 'parallel_tool_calls' ? [] : value === null ? [] : refuseField(`/${key}`)
  })
}

function findHotTemperature({ temperature }: WireObject, limit = 2): readonly Violation[] {
  return typeof temperature === 'number' && temperature > limit
    ? refuse('/temperature', `temperature must be at most ${limit}`)
    : []
}

function findChatProblems(body: WireObject, flavor: OpenAIChatFlavor): readonly Violation[] {
  const {
    settingNames = {},
    refusedSettings,
    refusedFields = [],
    maxTemperature,
    toolChoices,
    outputForms,
    supportsOutputWithTools,
  } = flavor
  const choice = body['tool_choice']
  const isRefusedChoice =
    (toolChoices === 'auto' && choice !== undefined && choice !== 'auto') ||
    (toolChoices === 'no-list' && isObject(choice) && choice['type'] === 'allowed_tools')
  const form = getText(getObject(body, 'response_format')['type'])
  const efforts = Object.values(findHostEfforts(flavor, getText(body['model'])) ?? {})
  const effort = getText(body['reasoning_effort'])
  return [
    ...(efforts.length > 0 && effort !== '' && ![...efforts, 'default'].includes(effort)
      ? refuse('/reasoning_effort', `\`reasoning_effort\` must be one of \`${efforts.join('` or `')}\``)
      : []),
    ...Object.keys(settingNames).flatMap((key) => (body[key] === undefined ? [] : refuseField(`/${key}`))),
    ...refusedFields.flatMap((key) => (body[key] === undefined ? [] : refuseField(`/${key}`))),
    ...findRefusedSettings(body, refusedSettings, chatFields),
    ...findHotTemperature(body, maxTemperature),
    ...(isRefusedChoice ? refuseField('/tool_choice') : []),
    ...(form !== '' && outputForms?.some((each) => each === form) === false
      ? refuseField('/response_format')
      : []),
    ...(form.startsWith('json') && supportsOutputWithTools === false && listObjects(body['tools']).length > 0
      ? refuse('/response_format', 'json mode cannot be combined with tool/function calling')
      : []),
    ...listObjects(body['messages']).flatMap((message, index) =>
      findMessageProblems(message, `/messages/${index}`, flavor),
    ),
  ]
}

function findMessageProblems(
  message: WireObject,
  path: string,
  flavor: OpenAIChatFlavor,
): readonly Violation[] {
  const { reasoningFields, requiredReasoning, supportsName, supportsRefusals, supportsDeveloperRole } = flavor
  const refused = [
    ...['reasoning_content', 'reasoning', 'reasoning_details'].filter(
      (field) => reasoningFields?.some((each) => each === field) === false,
    ),
    ...(supportsName === false && message['role'] !== 'tool' ? ['name'] : []),
    ...(supportsRefusals === false ? ['refusal'] : []),
  ]
  const isRequired =
    message['role'] === 'assistant' &&
    (requiredReasoning?.messages === 'all' ||
      (requiredReasoning?.messages === 'with-calls' && message['tool_calls'] !== undefined))
  const field = reasoningFields?.[0] ?? ''
  return [
    ...refused.flatMap((key) => (message[key] === undefined ? [] : refuseField(`${path}/${key}`))),
    ...(supportsDeveloperRole === false && message['role'] === 'developer'
      ? refuseField(`${path}/role`)
      : []),
    ...(isRequired && message[field] === undefined
      ? refuse(path, `${field} is missing in assistant message`)
      : []),
    ...findMediaProblems(message['content'], path, flavor),
  ]
}

function findMediaProblems(
  content: Json | undefined,
  path: string,
  { imageUrls, textOnly }: OpenAIChatFlavor,
): readonly Violation[] {
  return listObjects(content).flatMap((part, index) => {
    const isUrl = /^https?:/.test(getText(getObject(part, 'image_url')['url']))
    const isRefused = (textOnly === 'everywhere' && part['type'] !== 'text') || (imageUrls === false && isUrl)
    return isRefused ? refuseField(`${path}/content/${index}`) : []
  })
}

function findMessagesProblems(body: WireObject, flavor: string): readonly Violation[] {
  const {
    isCompatibleHost,
    refusedSettings,
    maxTemperature = 1,
    toolChoices,
    supportsOutputSchema,
  } = getAnthropicFlavor({ flavor })
  if (isCompatibleHost === undefined) return []
  return [
    ...findRefusedSettings(body, refusedSettings, messagesFields),
    ...findHotTemperature(body, maxTemperature),
    ...(toolChoices === 'auto' && body['tool_choice'] !== undefined ? refuseField('/tool_choice') : []),
    ...(supportsOutputSchema === false && getObject(body, 'output_config')['format'] !== undefined
      ? refuseField('/output_config/format')
      : []),
  ]
}

/**
 * Functions, and tools of extensions, whose types have a prefix. Custom tools and namespaces are sent in the form of OpenAI: the
 * specification has none for them.
 */
const isOpenTool = (type: string): boolean => /^(?:function|custom|namespace)$|^[\w-]+:/.test(type)

function findResponsesProblems(body: WireObject, flavor: string): readonly Violation[] {
  const { efforts, supportsUser, supportsProviderTools, supportsJsonWithoutSchema } = getResponsesFlavor({
    flavor,
  })
  const effort = getText(getObject(body, 'reasoning')['effort'])
  const format = getObject(getObject(body, 'text'), 'format')['type']
  return [
    ...(supportsUser === false && body['user'] !== undefined ? refuseField('/user') : []),
    ...(effort !== '' && efforts?.some((each) => each === effort) === false
      ? refuseField('/reasoning/effort')
      : []),
    ...(supportsJsonWithoutSchema === false && format === 'json_object'
      ? refuseField('/text/format/type')
      : []),
    ...listObjects(body['tools']).flatMap(({ type }, index) =>
      supportsProviderTools === false && !isOpenTool(getText(type))
        ? refuseField(`/tools/${index}/type`)
        : [],
    ),
  ]
}
