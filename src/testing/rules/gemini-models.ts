import type { RefusableFeature } from '../../canonical/model/capabilities.ts'
import type { Effort } from '../../canonical/model/request.ts'
import { createModelRule } from './model-fact-rules.ts'
import { getObject, getText, listObjects, refuse, type RequestRule, type WireObject } from './request-rule.ts'

const getConfig = (body: WireObject): WireObject => getObject(body, 'generationConfig')
const getThinking = (body: WireObject): WireObject => getObject(getConfig(body), 'thinkingConfig')

/** How a body uses what some models refuse, and the name of it in the text of the server. */
const features: {
  readonly [feature in RefusableFeature]: {
    readonly label: string
    readonly path: string
    readonly isUsed: (body: WireObject) => boolean
  }
} = {
  'system-text': {
    label: 'Developer instruction',
    path: '/systemInstruction',
    isUsed: (body) => 'systemInstruction' in body,
  },
  tools: {
    label: 'Function calling',
    path: '/tools',
    isUsed: (body) => listObjects(body['tools']).some((tool) => 'functionDeclarations' in tool),
  },
  'json-output': {
    label: 'JSON mode',
    path: '/generationConfig/responseMimeType',
    isUsed: (body) => getConfig(body)['responseMimeType'] === 'application/json',
  },
}

/** What Gemini models refuse, by their family. The texts are those of Google's server. */
export const geminiModelRules: readonly RequestRule[] = [
  createModelRule(
    'google',
    'model-thinking-level',
    'The model has the thinking level.',
    (body, { efforts }) => {
      const level = getText(getThinking(body)['thinkingLevel'])
      const path = '/generationConfig/thinkingConfig/thinkingLevel'
      if (level === '' || level === 'THINKING_LEVEL_UNSPECIFIED' || efforts === undefined) return []
      if (efforts.length === 0) return refuse(path, 'Thinking level is not supported for this model.')
      return efforts.includes(level.toLowerCase() as Effort)
        ? []
        : refuse(
            path,
            `Unable to submit request because thinking_level ${level} is not supported by this model.`,
          )
    },
  ),
  createModelRule(
    'google',
    'model-thinking-budget',
    'The thinking budget is one of the model.',
    (body, family) => {
      const budget = getThinking(body)['thinkingBudget']
      if (typeof budget !== 'number' || budget === -1) return []
      const { thinkingModes = ['budget', 'off'], minBudgetTokens = 0, maxBudgetTokens = Infinity } = family
      const isAccepted =
        budget === 0
          ? thinkingModes.includes('off') || thinkingModes.length === 0
          : !thinkingModes.includes('budget') || (budget >= minBudgetTokens && budget <= maxBudgetTokens)
      return isAccepted
        ? []
        : refuse(
            '/generationConfig/thinkingConfig/thinkingBudget',
            `The thinking budget (${budget}) is invalid.`,
          )
    },
  ),
  createModelRule(
    'google',
    'model-penalties',
    'The model has the penalties.',
    (body, { refusedSettings = [] }, model) =>
      (['presencePenalty', 'frequencyPenalty'] as const)
        .filter((key) => refusedSettings.includes(key) && getConfig(body)[key] !== undefined)
        .flatMap((key) => refuse(`/generationConfig/${key}`, `Penalty is not enabled for models/${model}`)),
  ),
  createModelRule('google', 'model-output-limit', 'The output limit is one of the model.', (body, family) => {
    const limit = getConfig(body)['maxOutputTokens']
    const { maxOutputTokens = Infinity } = family
    return typeof limit === 'number' && limit > maxOutputTokens
      ? refuse(
          '/generationConfig/maxOutputTokens',
          `Unable to submit request because it has a maxOutputTokens value of ${limit} but the supported range is from 1 (inclusive) to ${maxOutputTokens + 1} (exclusive). Update the value and try again.`,
        )
      : []
  }),
  createModelRule(
    'google',
    'model-json-beside-tools',
    'The model combines JSON output and functions.',
    (body, family) =>
      family.supportsOutputWithTools === false &&
      getConfig(body)['responseMimeType'] === 'application/json' &&
      listObjects(body['tools']).some((tool) => 'functionDeclarations' in tool)
        ? refuse(
            '/generationConfig/responseMimeType',
            "Function calling with a response mime type: 'application/json' is unsupported",
          )
        : [],
  ),
  createModelRule(
    'google',
    'model-signatures',
    'The first function call of a message has a signature.',
    (body, family) =>
      family.requiresCallSignatures === true
        ? listObjects(body['contents']).flatMap((content, index) => {
            const call = listObjects(content['parts']).find((part) => 'functionCall' in part)
            return call === undefined || getText(call['thoughtSignature']) !== ''
              ? []
              : refuse(
                  `/contents/${index}/parts`,
                  'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.',
                )
          })
        : [],
  ),
  createModelRule(
    'google',
    'model-prefill',
    'The last content is not text of the model, unless the model continues it.',
    (body, { prefill }) => {
      const contents = listObjects(body['contents'])
      const last = contents.at(-1)
      const isText = last?.['role'] === 'model' && getText(listObjects(last['parts']).at(-1)?.['text']) !== ''
      return prefill === false && isText
        ? refuse(`/contents/${contents.length - 1}`, 'Requests ending with a model turn are not supported.')
        : []
    },
  ),
  createModelRule(
    'google',
    'model-features',
    'The model accepts system text, functions and JSON output.',
    (body, { refusedFeatures = [] }, model) =>
      refusedFeatures
        .filter((feature) => features[feature].isUsed(body))
        .flatMap((feature) =>
          refuse(features[feature].path, `${features[feature].label} is not enabled for models/${model}`),
        ),
  ),
]
