import { duplicateCallId, orphanCall } from './call-rules.ts'
import { duplicateId, emptyMessage } from './message-rules.ts'
import { resultRules } from './result-rules.ts'
import type { Rule, RuleTarget } from './rule.ts'

/**
 * What every conversation must meet, whichever model it goes to, in the order in which repairs work: ids first, then
 * results that must go, then those that must move, and last the calls that are still without one.
 *
 * @example
 * conversationRules.map((rule) => rule.id) // ['empty-message', 'duplicate-id', 'duplicate-call-id', …]
 */
export const conversationRules: readonly Rule[] = Object.freeze([
  emptyMessage,
  duplicateId,
  duplicateCallId,
  ...resultRules,
  orphanCall,
])

/** The rules of every conversation, then those of the target. */
export function rulesFor(target: RuleTarget | undefined): readonly Rule[] {
  return [...conversationRules, ...(target?.rules ?? [])]
}
