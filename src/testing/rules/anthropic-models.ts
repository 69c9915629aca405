import type { ThinkingMode } from '../../canonical/model/capabilities.ts'
import { type Effort, EFFORTS } from '../../canonical/model/request.ts'
import { createModelRule, findRefusedFields } from './model-fact-rules.ts'
import { getObject, getText, listObjects, refuse, type RequestRule, type WireObject } from './request-rule.ts'

const THINKING_MODES: { readonly [type: string]: ThinkingMode } = {
  adaptive: 'adaptive',
  enabled: 'budget',
  between_tools: 'between-tools',
  disabled: 'off',
}

const getThinkingType = (body: WireObject): string => getText(getObject(body, 'thinking')['type'])
const getEffort = (body: WireObject): string => getText(getObject(body, 'output_config')['effort'])

/** Returns true if the last message is one of the assistant that the model has to continue. */
function hasPrefill(body: WireObject): boolean {
  const last = listObjects(body['messages']).at(-1)
  const lastBlock = getText(listObjects(last?.['content']).at(-1)?.['type'])
  // The provider continues after its own tools.
  return last?.['role'] === 'assistant' && !/^server_tool_use$|_tool_result$|^mcp_/.test(lastBlock)
}

/** What Claude models refuse, by their family. The texts are those of Anthropic's server. */
export const anthropicModelRules: readonly RequestRule[] = [
  createModelRule('anthropic', 'model-thinking', 'The model has the thinking mode.', (body, family) => {
    const type = getThinkingType(body)
    const mode = THINKING_MODES[type]
    if (mode === undefined || (family.thinkingModes ?? [mode]).includes(mode)) return []
    if (family.thinkingModes?.length === 0 && mode === 'off') return []
    const message =
      mode === 'adaptive'
        ? 'adaptive thinking is not supported on this model'
        : `"thinking.type.${type}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`
    return refuse('/thinking/type', message)
  }),
  createModelRule('anthropic', 'model-effort', 'The model has the effort.', (body, family) => {
    const effort = getEffort(body) as Effort
    const { efforts } = family
    if (!EFFORTS.includes(effort) || efforts === undefined) return []
    const path = '/output_config/effort'
    if (efforts.length === 0) return refuse(path, 'This model does not support the effort parameter.')
    if (!efforts.includes(effort))
      return refuse(
        path,
        `This model does not support effort level '${effort}'. Supported levels: ${efforts.toSorted().join(', ')}.`,
      )
    const { maxEffortWhenOff = 'max' } = family
    const isTooHigh =
      getThinkingType(body) === 'disabled' && EFFORTS.indexOf(effort) > EFFORTS.indexOf(maxEffortWhenOff)
    return isTooHigh
      ? refuse(
          path,
          `output_config.effort '${effort}' is not supported when thinking is disabled on this model. Use effort '${maxEffortWhenOff}' or below, or enable thinking.`,
        )
      : []
  }),
  createModelRule(
    'anthropic',
    'model-output-limit',
    'The output limit is one of the model.',
    (body, family, model) => {
      const limit = body['max_tokens']
      return typeof limit === 'number' && limit > (family.maxOutputTokens ?? Infinity)
        ? refuse(
            '/max_tokens',
            `max_tokens: ${limit} > ${family.maxOutputTokens}, which is the maximum allowed number of output tokens for ${model}`,
          )
        : []
    },
  ),
  createModelRule(
    'anthropic',
    'model-sampling',
    'The model accepts the sampling settings.',
    (body, family) => {
      const isThinking = ['enabled', 'adaptive'].includes(getThinkingType(body))
      const refused = findRefusedFields(body, [
        ...(family.refusedSettings ?? []),
        ...(isThinking ? (family.refusedWhileThinking ?? []) : []),
      ])
      if (refused.length > 0)
        return refuse(`/${refused[0]}`, `\`${refused[0]}\` is deprecated for this model.`)
      return family.supportsTopPWithTemperature === false && 'temperature' in body && 'top_p' in body
        ? refuse(
            '/top_p',
            '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
          )
        : []
    },
  ),
  createModelRule(
    'anthropic',
    'model-forced-tools',
    'The model can be forced to call a tool.',
    (body, family) =>
      family.forcedTools === false &&
      ['any', 'tool'].includes(getText(getObject(body, 'tool_choice')['type']))
        ? refuse('/tool_choice', 'tool_choice: type "tool" and "any" are not supported for this model.')
        : [],
  ),
  createModelRule(
    'anthropic',
    'model-prefill',
    'The model continues an assistant message.',
    (body, family) => {
      const isThinking = ['enabled', 'adaptive'].includes(getThinkingType(body))
      const isAllowed = family.prefill === 'without-thinking' ? !isThinking : family.prefill !== false
      return !isAllowed && hasPrefill(body)
        ? refuse(
            '/messages',
            'This model does not support assistant message prefill. The conversation must end with a user message.',
          )
        : []
    },
  ),
  createModelRule(
    'anthropic',
    'model-system-messages',
    'The model accepts system messages in the conversation.',
    (body, family) => {
      const messages = listObjects(body['messages'])
      if (messages[0]?.['role'] === 'system')
        return refuse(
          '/messages/0',
          "messages.0: use the top-level 'system' parameter for the initial system prompt",
        )
      const index = messages.findIndex(({ role }) => role === 'system')
      return index !== -1 && family.supportsMidConversationSystem === false
        ? refuse(`/messages/${index}/role`, "role 'system' is not supported on this model")
        : []
    },
  ),
  createModelRule('anthropic', 'model-output-schema', 'The model enforces schemas.', (body, family) => {
    const hasFormat = 'format' in getObject(body, 'output_config')
    const isStrict = listObjects(body['tools']).some(({ strict }) => strict === true)
    if (hasFormat && family.supportsOutputSchema === false)
      return refuse('/output_config/format', 'output_config.format is not supported on this model.')
    return isStrict && family.supportsStrictTools === false
      ? refuse('/tools', 'Strict tools are not supported on this model.')
      : []
  }),
]
