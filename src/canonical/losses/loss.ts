import { InterlinguaError } from '../../errors.ts'
import type { Loss } from '../model/loss.ts'
import { type LossRule, lossCatalog } from './catalog.ts'
import { fieldName, sourceName } from './field-name.ts'

/** The target of a translation: a dialect or protocol, and the flavor of its host if it has one. */
export interface LossTarget {
  readonly dialect: string
  readonly flavor?: string | undefined
}

/** Creates the loss of a rule at a path, with its reason filled in. */
export function createLoss(rule: LossRule, path: string, { dialect, flavor }: LossTarget): Loss {
  const [severity, action, template] = lossCatalog[rule]
  const reason = template.replace(placeholder, (_match, name: string) => {
    if (name === 'field') return fieldName(path)
    if (name === 'source') return sourceName(path)
    return name === 'host' && flavor !== undefined ? `${flavor} (${dialect})` : dialect
  })
  return Object.freeze({ path, dialect, rule, action, severity, reason })
}

const placeholder = /\{(field|dialect|host|source)\}/g

/** Creates the error for a loss that `onLoss` does not allow. */
export function lossRefused({ path, dialect, rule, reason }: Loss): InterlinguaError {
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
