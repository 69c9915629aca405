import { InterlinguaError } from '../../errors.ts'
import { type Path, toPointer } from '../../wire/json-pointer.ts'
import type { Loss } from '../model/loss.ts'
import type { LossRule } from './loss-catalog.ts'
import { formatFieldName, getResidueSourceName } from './field-name.ts'
import type { LossRuleTable } from './loss-rule-table.ts'

/** What the option `onLoss` accepts. Another value would allow the losses that it was to refuse. */
export const ON_LOSS_CHOICES: readonly ('allow' | 'error' | FunctionConstructor)[] = [
  'allow',
  'error',
  Function,
]

/** The target of a translation: a dialect or protocol, and the flavor of its host if it has one. */
export interface LossTarget {
  readonly dialect: string
  readonly flavor?: string | undefined
}

/** Creates the loss of a rule of the table at a path, with its reason filled in. */
export function createLoss<Rule extends LossRule>(
  rules: LossRuleTable<Rule>,
  rule: Rule,
  path: Path | undefined,
  target: LossTarget,
): Loss & { readonly rule: Rule } {
  const { severity, action, template } = rules[rule]
  let reason = template[0] ?? ''
  // Placeholders and the texts after them alternate.
  for (let index = 1; index < template.length; index += 2)
    reason += fillIn(template[index], path, target) + (template[index + 1] ?? '')
  return Object.freeze({ path: toPointer(path), dialect: target.dialect, rule, action, severity, reason })
}

function fillIn(
  placeholder: string | undefined,
  path: Path | undefined,
  { dialect, flavor }: LossTarget,
): string {
  if (placeholder === '{field}') return formatFieldName(path)
  if (placeholder === '{source}') return getResidueSourceName(path)
  return placeholder === '{host}' && flavor !== undefined ? `${flavor} (${dialect})` : dialect
}

/** Creates the error for content that the policy of an encoding rejects. */
export function createContentRejectedError({ path, dialect, rule, reason }: Loss): InterlinguaError {
  return new InterlinguaError('loss-refused', `${dialect} cannot express the content at ${path}`, {
    path,
    found: rule,
    expected: `content that ${dialect} can express`,
    hint: `Without the action 'reject': ${reason} Choose another action in \`unsupported\` or \`foreignReasoning\`.`,
  })
}

/** Creates the error for a loss that `onLoss` does not allow. */
export function createLossRefusedError({ path, dialect, rule, reason }: Loss): InterlinguaError {
  return new InterlinguaError(
    'loss-refused',
    `onLoss refused the translation to ${dialect}: ${reason.replace(/\.$/, '')}`,
    {
      path,
      found: rule,
      expected: 'a translation without losses',
      hint: `Allow the rule '${rule}' in onLoss, or remove the field before the translation.`,
    },
  )
}
