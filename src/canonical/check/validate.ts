import type { Message } from '../model/message.ts'
import { snapshot } from './pairing.ts'
import type { Problem, RuleTarget } from './rule.ts'
import { rulesFor } from './rules.ts'

/**
 * Lists what is wrong with a conversation: the rules that every conversation must meet, then those of a target, such as
 * a dialect. It never throws: building a conversation is free, and this says whether a provider would take it.
 *
 * @example
 * validate([user('Weather in Oslo?'), assistant(toolCall({ name: 'weather', arguments: { city: 'Oslo' } }))])
 * // [{ rule: 'orphan-call', path: '/1/content/0', severity: 'error', message: 'No result answers this call' }]
 */
export function validate(messages: Iterable<Message>, target?: RuleTarget): readonly Problem[] {
  const list = snapshot(messages)
  const problems = rulesFor(target).flatMap((rule) =>
    Array.from(rule.check(list), ({ path, message }): Problem => {
      return Object.freeze({ rule: rule.id, path, severity: rule.severity, message })
    }),
  )
  return Object.freeze(problems)
}
