import { answerRules, commonRules } from './answer-rules.ts'
import { contentRules } from './content-rules.ts'
import { agentRules, sanitizeRules, uiRules } from './product-rules.ts'
import { settingRules, toolRules } from './request-rules.ts'
import { listRules, type RuleIn, type RuleTable } from './rule-table.ts'
import { schemaRules } from './schema-rules.ts'

/** The id of a rule about JSON Schemas. */
export type SchemaRule = RuleIn<typeof schemaRules>

/** The id of a rule of {@link sanitize}. */
export type SanitizeRule = RuleIn<typeof sanitizeRules>

/** The id of a rule that the dialects report. */
export type DialectRule =
  | RuleIn<typeof answerRules>
  | RuleIn<typeof commonRules>
  | RuleIn<typeof contentRules>
  | RuleIn<typeof settingRules>
  | RuleIn<typeof toolRules>
  | SchemaRule

/** The id of a rule that the UI protocols report. */
export type UiRule = RuleIn<typeof commonRules> | RuleIn<typeof uiRules>

/** The id of a loss rule. docs/reference/losses.md lists all of them. */
export type LossRule = DialectRule | SanitizeRule | UiRule | RuleIn<typeof agentRules>

/** The rules of the dialects. The order does not matter: a test checks that no two tables share an id. */
export const dialectRules: RuleTable<DialectRule> = /* @__PURE__ */ listRules(
  answerRules,
  commonRules,
  contentRules,
  schemaRules,
  settingRules,
  toolRules,
)

/** Every loss rule. */
export const lossCatalog: RuleTable<LossRule> = /* @__PURE__ */ listRules(
  agentRules,
  answerRules,
  commonRules,
  contentRules,
  sanitizeRules,
  schemaRules,
  settingRules,
  toolRules,
  uiRules,
)
