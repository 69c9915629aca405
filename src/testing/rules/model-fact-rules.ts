import { findModelFamily } from '../../models/find-model-family.ts'
import type { ModelFamily, ModelVendor } from '../../models/model-family.ts'
import type { RequestRule, Violation, WireObject } from './request-rule.ts'

/** Creates a rule about what a model accepts, from the table of model families. Models of other vendors are accepted. */
export function createModelRule(
  vendor: ModelVendor,
  id: string,
  summary: string,
  find: (body: WireObject, family: ModelFamily, model: string) => Iterable<Violation>,
): RequestRule {
  return {
    id,
    summary,
    find(body, { model }) {
      const family = findModelFamily(model)
      return family?.vendor === vendor ? find(body, family, model) : []
    },
  }
}

/** The wire names of settings that models may refuse, with the value that every model accepts. */
const refusableFields: {
  readonly [setting: string]: readonly (readonly [field: string, accepted?: number])[]
} = {
  temperature: [['temperature', 1]],
  topP: [['top_p', 1]],
  topK: [['top_k']],
  stop: [['stop']],
  presencePenalty: [['presence_penalty', 0]],
  frequencyPenalty: [['frequency_penalty', 0]],
  logprobs: [['logprobs'], ['top_logprobs']],
}

/** Returns the fields of a body that a list of refused settings excludes. */
export function findRefusedFields(body: WireObject, settings: readonly string[] = []): readonly string[] {
  return settings.flatMap((setting) =>
    (refusableFields[setting] ?? [])
      .filter(([field, accepted]) => {
        const value = body[field] ?? undefined
        const isAbsent =
          value === undefined || value === false || (Array.isArray(value) && value.length === 0)
        return !isAbsent && value !== accepted
      })
      .map(([field]) => field),
  )
}
