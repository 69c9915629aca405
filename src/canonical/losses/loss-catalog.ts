import { lazy } from '../../wire/memoize.ts'
import { answerLossRules, commonLossRules } from './common-and-response-loss-rules.ts'
import { contentLossRules } from './content-loss-rules.ts'
import { formatLossRules } from './format-loss-rules.ts'
import { agentLossRules, sanitizeLossRules, uiLossRules } from './ui-sanitize-agent-loss-rules.ts'
import { settingLossRules, toolLossRules } from './request-loss-rules.ts'
import { buildLossRuleTable, type LossRuleIdIn, type LossRuleTable } from './loss-rule-table.ts'
import { schemaLossRules } from './schema-loss-rules.ts'

/** The id of a rule about JSON Schemas. */
export type SchemaLossRule = LossRuleIdIn<typeof schemaLossRules>

/** The id of a rule of {@link sanitize}. */
export type SanitizeLossRule = LossRuleIdIn<typeof sanitizeLossRules>

/** The id of a rule that the dialects report. */
export type DialectLossRule =
  | LossRuleIdIn<typeof answerLossRules>
  | LossRuleIdIn<typeof commonLossRules>
  | LossRuleIdIn<typeof contentLossRules>
  | LossRuleIdIn<typeof settingLossRules>
  | LossRuleIdIn<typeof toolLossRules>
  | SchemaLossRule

/** The id of a rule that the UI protocols report. */
export type UiLossRule = LossRuleIdIn<typeof commonLossRules> | LossRuleIdIn<typeof uiLossRules>

/** The id of a rule that the message formats of other libraries report. */
export type FormatLossRule =
  | UiLossRule
  | LossRuleIdIn<typeof contentLossRules>
  | LossRuleIdIn<typeof formatLossRules>

/** The id of a loss rule. docs/reference/losses.md lists all of them. */
export type LossRule =
  | DialectLossRule
  | FormatLossRule
  | SanitizeLossRule
  | UiLossRule
  | LossRuleIdIn<typeof agentLossRules>

/** Returns the rules of the dialects. The order does not matter: a test checks that no two tables share an id. */
export const getDialectLossRules: () => LossRuleTable<DialectLossRule> = /* @__PURE__ */ lazy(() =>
  buildLossRuleTable(
    answerLossRules,
    commonLossRules,
    contentLossRules,
    schemaLossRules,
    settingLossRules,
    toolLossRules,
  ),
)

/** Every loss rule. */
export const lossCatalog: LossRuleTable<LossRule> = /* @__PURE__ */ buildLossRuleTable(
  agentLossRules,
  answerLossRules,
  commonLossRules,
  contentLossRules,
  formatLossRules,
  sanitizeLossRules,
  schemaLossRules,
  settingLossRules,
  toolLossRules,
  uiLossRules,
)
