import { answerRules } from './answer-rules.ts'
import { contentRules } from './content-rules.ts'
import { schemaRules } from './schema-rules.ts'
import { settingRules } from './setting-rules.ts'
import { toolRules } from './tool-rules.ts'
import { trustRules } from './trust-rules.ts'
import { uiRules } from './ui-rules.ts'

/** The id of a rule about JSON Schemas. */
export type SchemaRule = keyof typeof schemaRules

/** The id of a rule of {@link sanitize}. */
export type SanitizeRule = keyof typeof trustRules

/** The id of a loss rule. docs/reference/losses.md lists all of them. */
export type LossRule =
  | keyof typeof answerRules
  | keyof typeof contentRules
  | keyof typeof settingRules
  | keyof typeof toolRules
  | keyof typeof uiRules
  | SchemaRule
  | SanitizeRule

/**
 * The severity of a loss. `loss`: the model or the user receives something different. `note`: they receive the same content
 * in another form, or only metadata is missing, such as ids, timestamps, counters and echoed settings. A value that equals
 * the default of the target is neither and is not reported.
 */
export type LossSeverity = 'loss' | 'note'

/** The change that a rule makes. */
export type LossAction = 'dropped' | 'downgraded' | 'moved' | 'renamed' | 'synthesized'

/**
 * A row of the catalog. The reason is a template: `{field}` is the field that the path points to, `{dialect}` the target,
 * `{host}` the target with its flavor, `{source}` the format that residue comes from.
 */
export type LossRow = readonly [severity: LossSeverity, action: LossAction, reason: string]

/** Every loss rule by id. The spread order does not matter: a test checks that no two tables share an id. */
export const lossCatalog: { readonly [rule in LossRule]: LossRow } = {
  ...answerRules,
  ...contentRules,
  ...schemaRules,
  ...settingRules,
  ...toolRules,
  ...trustRules,
  ...uiRules,
}
