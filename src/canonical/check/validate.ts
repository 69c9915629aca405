import type { Message } from '../model/message.ts'
import { snapshotMessages } from './call-pairing.ts'
import type { Problem, RuleTarget, Rule } from './validation-rule.ts'
import { messageValidationRules } from './message-validation-rules.ts'
import { toolValidationRules } from './tool-validation-rules.ts'
import { toTypedError } from '../../wire/internal-error.ts'
import { child } from '../../wire/json-pointer.ts'
import { checkStructure } from './check-structure.ts'

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
 * rules of a target such as a dialect. Messages that no rule can check, such as unparsed JSON, are problems of the rule
 * `invalid-message`, and no other rule is checked then. It never throws.
 *
 * @example
 * validate([user('Weather in Oslo?'), assistant(toolCall({ name: 'weather', arguments: { city: 'Oslo' } }))])
 * // [{ rule: 'orphan-call', path: '/1/content/0', severity: 'error', message: 'The call has no result' }]
 */
export function validate(messages: Iterable<Message>, target?: RuleTarget): readonly Problem[] {
  const problems: Problem[] = []
  const list = tryOrReport(problems, () => readMessages(messages, problems))
  if (list !== undefined && problems.length === 0)
    tryOrReport(problems, () => {
      for (const rule of listValidationRules(target))
        for (const { path, message } of rule.check(list))
          problems.push({ rule: rule.id, path, severity: rule.severity, message })
    })
  return Object.freeze(problems.map((problem) => Object.freeze(problem)))
}

/** Returns the messages, and reports those that no rule can check. */
function readMessages(messages: Iterable<Message>, problems: Problem[]): readonly Message[] {
  const list = snapshotMessages(messages)
  for (const [index, message] of list.entries())
    tryOrReport(problems, () => checkStructure(message, child(undefined, index)))
  return list
}

/** Returns the result of a function; its error becomes a problem. */
function tryOrReport<T>(problems: Problem[], act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    const { path = '', message } = toTypedError(error)
    problems.push({ rule: 'invalid-message', path, severity: 'error', message })
    return undefined
  }
}
