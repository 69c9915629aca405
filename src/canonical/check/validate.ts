import type { Message } from '../model/message.ts'
import { snapshotMessages } from './call-pairing.ts'
import type { Problem, RuleTarget, Rule } from './rule.ts'
import { messageValidationRules } from './message-rules.ts'
import { toolValidationRules } from './tool-rules.ts'

/**
 * The rules that every conversation must meet for any model, in the order of their repairs: message ids,
 * results without a call, call ids, positions of results, and calls without a result.
 *
 * @example
 * baseRules.map((rule) => rule.id) // ['empty-message', 'duplicate-id', 'orphan-result', …]
 */
export const baseRules: readonly Rule[] = Object.freeze([...messageValidationRules, ...toolValidationRules])

/** Returns the base rules, followed by the rules of the target. */
export function listValidationRules(target: RuleTarget | undefined): readonly Rule[] {
  return [...baseRules, ...(target?.rules ?? [])]
}

/**
 * Returns the problems of a conversation, for which providers may reject it: first by the base rules, then by the
 * rules of a target such as a dialect. It never throws.
 *
 * @example
 * validate([user('Weather in Oslo?'), assistant(toolCall({ name: 'weather', arguments: { city: 'Oslo' } }))])
 * // [{ rule: 'orphan-call', path: '/1/content/0', severity: 'error', message: 'The call has no result' }]
 */
export function validate(messages: Iterable<Message>, target?: RuleTarget): readonly Problem[] {
  const list = snapshotMessages(messages)
  const problems = listValidationRules(target).flatMap((rule) =>
    Array.from(rule.check(list), ({ path, message }) =>
      Object.freeze({ rule: rule.id, path, severity: rule.severity, message }),
    ),
  )
  return Object.freeze(problems)
}
