/**
 * The severity of a loss. `loss`: the model or the user receives something different. `note`: they receive the same content
 * in another form, or only data about the exchange is missing, such as counters and ratings. A value that equals the default
 * of the target, or that means nothing outside of its format, is neither and is not reported.
 */
export type LossSeverity = 'loss' | 'note'

/** The change that a rule makes. */
export type LossAction = 'dropped' | 'downgraded' | 'moved' | 'renamed' | 'synthesized'

/** A rule. The template of its reason is split at the placeholders, so that filling it in does not search it. */
interface LossRow {
  readonly severity: LossSeverity
  readonly action: LossAction
  readonly template: readonly string[]
}

/**
 * Templates of reasons by rule id, grouped by severity and action: `{field}` is the field that the path points to,
 * `{dialect}` the target, `{host}` the target with its flavor, `{source}` the format that residue comes from.
 */
export type LossRuleGroups = {
  readonly [severity in LossSeverity]?: {
    readonly [action in LossAction]?: { readonly [rule: string]: string }
  }
}

type ValueOf<Group> = Group extends unknown ? Group[keyof Group] : never
type KeyOf<Group> = Group extends unknown ? keyof Group & string : never

/** The ids of the rules in groups. */
export type LossRuleIdIn<Groups> = KeyOf<ValueOf<ValueOf<Groups>>>

/** Rules by id. */
export type LossRuleTable<Rule extends string> = { readonly [rule in Rule]: LossRow }

/** Returns the rules of all groups by id. */
export function buildLossRuleTable<Tables extends readonly LossRuleGroups[]>(
  ...tables: Tables
): LossRuleTable<LossRuleIdIn<Tables[number]>> {
  const rows: { [rule: string]: LossRow } = {}
  for (const groups of tables)
    for (const severity of ['loss', 'note'] as const)
      for (const [action, templates] of Object.entries(groups[severity] ?? {}))
        for (const [rule, template] of Object.entries(templates))
          rows[rule] = { severity, action: action as LossAction, template: template.split(/(\{\w+\})/) }
  return rows as LossRuleTable<LossRuleIdIn<Tables[number]>>
}
