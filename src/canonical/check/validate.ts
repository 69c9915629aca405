import type { Message } from '../model/message.ts'
import { snapshotMessages } from './call-pairing.ts'
import type { Problem, RuleTarget, Rule } from './rule.ts'
import {
  duplicateCallIdRule,
  resultPositionRules,
  orphanCallRule,
  unpairedResultRules,
} from './tool-rules.ts'
import { duplicateMessageIdRule, emptyMessageRule } from './message-rules.ts'

/**
 * What every conversation must meet, whichever model it goes to, in the order in which repairs work: ids first, then
 * results that must go, then those that must move, and last the calls that are still without one.
 *
 * @example
 * conversationRules.map((rule) => rule.id) // ['empty-message', 'duplicate-id', 'duplicate-call-id', …]
 */
export const baseRules: readonly Rule[] = Object.freeze([
  emptyMessageRule,
  duplicateMessageIdRule,
  ...unpairedResultRules,
  duplicateCallIdRule,
  ...resultPositionRules,
  orphanCallRule,
])

/** The rules of every conversation, then those of the target. */
export function rulesFor(target: RuleTarget | undefined): readonly Rule[] {
  return [...baseRules, ...(target?.rules ?? [])]
}

/**
 * Lists what is wrong with a conversation: the rules that every conversation must meet, then those of a target, such as
 * a dialect. It never throws: building a conversation is free, and this says whether a provider would take it.
 *
 * @example
 * validate([user('Weather in Oslo?'), assistant(toolCall({ name: 'weather', arguments: { city: 'Oslo' } }))])
 * // [{ rule: 'orphan-call', path: '/1/content/0', severity: 'error', message: 'No result answers this call' }]
 */
export function validate(messages: Iterable<Message>, target?: RuleTarget): readonly Problem[] {
  const list = snapshotMessages(messages)
  const problems = rulesFor(target).flatMap((rule) =>
    Array.from(rule.check(list), ({ path, message }): Problem => {
      return Object.freeze({ rule: rule.id, path, severity: rule.severity, message })
    }),
  )
  return Object.freeze(problems)
}
