import { createModelRule } from './model-fact-rules.ts'
import { getObject, refuse, type RequestRule } from './request-rule.ts'

/** What models on Bedrock refuse, by their family. */
export const bedrockModelRules: readonly RequestRule[] = [
  createModelRule(
    'amazon',
    'model-max-effort',
    'The highest effort excludes limits and sampling.',
    (body, { efforts = [], refusedWithMaxEffort = [] }) => {
      const { maxReasoningEffort: effort } = getObject(
        getObject(body, 'additionalModelRequestFields'),
        'reasoningConfig',
      )
      const names = refusedWithMaxEffort.map((setting) =>
        setting === 'maxOutputTokens' ? 'maxTokens' : setting,
      )
      const config = getObject(body, 'inferenceConfig')
      return effort !== efforts.at(-1)
        ? []
        : names
            .filter((name) => config[name] !== undefined)
            .flatMap((name) =>
              refuse(
                `/inferenceConfig/${name}`,
                `The model returned the following errors: Malformed input request: ${name} cannot be used with maxReasoningEffort set to ${effort}, please reformat your input and try again.`,
              ),
            )
    },
  ),
]
