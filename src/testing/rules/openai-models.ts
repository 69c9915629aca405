import { isObject } from '../../wire/json.ts'
import { type Effort, EFFORTS } from '../../canonical/model/request.ts'
import type { ModelFamily } from '../../models/model-family.ts'
import { createModelRule, findRefusedFields } from './model-fact-rules.ts'
import { getObject, getText, listObjects, refuse, type RequestRule, type WireObject } from './request-rule.ts'

/** The places of settings in one of OpenAI's two APIs. */
interface OpenAIFields {
  readonly isChat: boolean
  readonly getEffort: (body: WireObject) => string
  readonly effortPath: string
  readonly outputLimits: readonly string[]
}

const chatFields: OpenAIFields = {
  isChat: true,
  getEffort: (body) => getText(body['reasoning_effort']),
  effortPath: '/reasoning_effort',
  outputLimits: ['max_completion_tokens', 'max_tokens'],
}

const responsesFields: OpenAIFields = {
  isChat: false,
  getEffort: (body) => getText(getObject(body, 'reasoning')['effort']),
  effortPath: '/reasoning/effort',
  outputLimits: ['max_output_tokens'],
}

/** Returns true if the model reasons for a request. */
function isReasoning(effort: string, { thinkingDefault, efforts = [] }: ModelFamily): boolean {
  if (efforts.length === 0 || effort === 'none') return false
  return thinkingDefault !== 'by-effort' || effort !== ''
}

const formatUnsupported = (field: string): string =>
  `Unsupported parameter: '${field}' is not supported with this model.`

function createOpenAIModelRules(fields: OpenAIFields): readonly RequestRule[] {
  const { isChat, getEffort, effortPath, outputLimits } = fields
  return [
    createModelRule('openai', 'model-effort', 'The model has the effort.', (body, family, model) => {
      const effort = getEffort(body) as Effort
      const efforts = (isChat ? family.chatEfforts : undefined) ?? family.efforts
      if (!EFFORTS.includes(effort) || efforts === undefined || efforts.includes(effort)) return []
      const field = effortPath.slice(1).replace('/', '.')
      if (efforts.length === 0) return refuse(effortPath, formatUnsupported(field), 'unsupported_parameter')
      const names = efforts.map((each) => `'${each}'`)
      const list = names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`
      return refuse(
        effortPath,
        `Unsupported value: '${effort}' is not supported with the '${model}' model. Supported values are: ${list}.`,
        'unsupported_value',
      )
    }),
    createModelRule('openai', 'model-settings', 'The model accepts the settings.', (body, family) => {
      const refused = findRefusedFields(body, [
        ...(family.refusedSettings ?? []),
        ...(isReasoning(getEffort(body), family) ? (family.refusedWhileThinking ?? []) : []),
      ])
      const unknown = (family.refusedFields ?? []).filter((field) => (body[field] ?? undefined) !== undefined)
      return [...refused, ...unknown].flatMap((field) =>
        refuse(
          `/${field}`,
          formatUnsupported(field) + (field === 'max_tokens' ? " Use 'max_completion_tokens' instead." : ''),
          'unsupported_parameter',
        ),
      )
    }),
    createModelRule('openai', 'model-output-limit', 'The output limit is one of the model.', (body, family) =>
      outputLimits.flatMap((field) => {
        const limit = body[field]
        return typeof limit === 'number' && limit > (family.maxOutputTokens ?? Infinity)
          ? refuse(
              `/${field}`,
              `max_tokens is too large: ${limit}. This model supports at most ${family.maxOutputTokens} completion tokens, whereas you provided ${limit}.`,
              'invalid_value',
            )
          : []
      }),
    ),
    createModelRule('openai', 'model-cache-markers', 'The model accepts cache markers.', (body, family) =>
      family.supportsCacheMarkers === false && JSON.stringify(body).includes('"prompt_cache_breakpoint":{')
        ? refuse('', formatUnsupported('prompt_cache_breakpoint'), 'unsupported_parameter')
        : [],
    ),
    createModelRule('openai', 'model-output-schema', 'The model enforces schemas.', (body, family) => {
      const format = isChat
        ? getObject(body, 'response_format')
        : getObject(getObject(body, 'text'), 'format')
      return format['type'] === 'json_schema' && family.supportsOutputSchema === false
        ? refuse(
            isChat ? '/response_format' : '/text/format',
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
          )
        : []
    }),
    ...(isChat ? [chatToolRule] : []),
  ]
}

const chatToolRule = createModelRule(
  'openai',
  'model-chat-tools',
  'The model accepts function tools in the Chat API.',
  (body, { chatTools = true }, model) => {
    const hasFunctions = listObjects(body['tools']).some((tool) => isObject(tool['function']))
    const isAllowed = chatTools === 'without-effort' ? body['reasoning_effort'] === 'none' : chatTools
    return hasFunctions && !isAllowed
      ? refuse(
          '/reasoning_effort',
          `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
        )
      : []
  },
)

/** What OpenAI models refuse in the Chat API, by their family. The texts are those of OpenAI's server. */
export const openaiChatModelRules: readonly RequestRule[] = createOpenAIModelRules(chatFields)

/** What OpenAI models refuse in the Responses API, by their family. */
export const openaiResponsesModelRules: readonly RequestRule[] = createOpenAIModelRules(responsesFields)
