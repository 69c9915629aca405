import type { Message } from '../model/message.ts'
import { snapshotMessages } from './call-pairing.ts'
import {
  createValidationRule,
  type MessagePosition,
  type Problem,
  type Rule,
  type RuleTarget,
} from './validation-rule.ts'
import { toolValidationRules } from './tool-validation-rules.ts'
import { toTypedError } from '../../wire/typed-errors.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isEmptyContent } from '../read/content-checks.ts'
import { createUniqueNamer, findRepeatedByName } from '../../wire/unique-names.ts'
import { markRepaired } from './repair-marks.ts'
import { isObject } from '../../wire/json.ts'
import { throwInvalid, throwMissing, throwWrongType } from '../shape/shape.ts'

/** Part types whose content is a list of parts. */
const PARTS_WITH_CONTENT: ReadonlySet<unknown> = new Set(['tool-result'])

/**
 * Throws for a value that is not built like a message: an object with a role and a list of parts. Rules about conversations
 * rely on nothing else, so that they can report ids and fields that the canonical form does not allow.
 */
export function checkStructure(message: unknown, path: Path): void {
  if (!isObject(message)) return throwWrongType(message, path, 'a message: an object')
  if (typeof message['role'] !== 'string') throwMissing(child(path, 'role'), 'a role')
  checkParts(message['content'], child(path, 'content'))
}

function checkParts(parts: unknown, path: Path): void {
  if (!Array.isArray(parts)) {
    const hint = 'Parse JSON from other sources first: `parseMessages` of interlingua/parse.'
    return throwInvalid('invalid-type', path, 'no list', 'a list of parts', hint)
  }
  for (const [index, part] of (parts as readonly unknown[]).entries()) {
    const partPath = child(path, index)
    if (!isObject(part)) return throwWrongType(part, partPath, 'a part: an object')
    if (typeof part['type'] !== 'string') return throwMissing(child(partPath, 'type'), 'the type of a part')
    if (PARTS_WITH_CONTENT.has(part['type'])) checkParts(part['content'], child(partPath, 'content'))
  }
}

/** Removes messages without content. */
const emptyMessageRule = createValidationRule({
  id: 'empty-message',
  severity: 'warning',
  summary: 'Every message has content.',
  problem: 'The message has no content',
  find: (messages) => listPositions(messages).filter(({ value }) => isEmptyContent(value.content)),
  repair: ({ messages, report }, found) => {
    for (const position of found) report('removed', position)
    const removed = new Set(found.map(({ message }) => message))
    return snapshotMessages(messages.filter((_message, index) => !removed.has(index)))
  },
})

/** Renames messages with the id of an earlier one to the first unused `<id>_2`, `<id>_3`… */
const duplicateMessageIdRule = createValidationRule({
  id: 'duplicate-id',
  severity: 'error',
  summary: 'Every message has a unique id.',
  problem: 'An earlier message has the same id',
  find: (messages) => findRepeatedByName(listPositions(messages), ({ value }) => value.id),
  repair: ({ rule, messages, report }, found) => {
    const uniqueId = createUniqueNamer(new Set(messages.map((message) => message.id)))
    const renamed = [...messages]
    for (const { message, value } of found) {
      report('renamed', { message })
      renamed[message] = markRepaired(value, rule, { id: uniqueId(value.id) })
    }
    return snapshotMessages(renamed)
  },
})

const messageValidationRules: readonly Rule[] = [emptyMessageRule, duplicateMessageIdRule]

function listPositions(
  messages: readonly Message[],
): readonly (MessagePosition & { readonly value: Message })[] {
  return messages.map((value, message) => ({ message, value }))
}

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
