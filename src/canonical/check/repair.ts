import { child } from '../../wire/json-pointer.ts'
import { Messages } from '../collections/messages.ts'
import type { Message } from '../model/message.ts'
import { checkStructure, listValidationRules } from './validate.ts'
import { snapshotMessages } from './call-pairing.ts'
import type { Repair, RuleTarget } from './validation-rule.ts'
import { checkAndFreezeMessage } from '../shape/message.ts'
import { callCallback, withTypedErrors } from '../../wire/typed-errors.ts'

/** Options of {@link repair}. */
export interface RepairOptions {
  /** Called for every change, in order. */
  readonly onRepair?: (repair: Repair) => void
}

/** The base rules need one round, and one that finds nothing. Rules of a target may undo each other forever. */
const MAX_ROUNDS = 8

/**
 * Repairs the problems that {@link validate} finds. Returns the same object if there are none. It adds, moves
 * and removes parts and messages, and renames repeated ids; a tool result without a call, or with a call that
 * has another result, becomes a text in a user message. The result depends only on the conversation, so cached
 * prefixes stay valid. Changed and added messages list the rules in `metadata.interlingua.repaired`.
 *
 * Encoders make the same changes when they write a conversation, with one exception: they must not change
 * what they have already written, so only `repair` moves a result to a call that an assistant message
 * separates from it, before or after the result.
 *
 * @example
 * const stored = [user('Weather in Oslo?'), assistant(toolCall({ name: 'weather', arguments: { city: 'Oslo' } }))]
 * repair(stored).at(-1) // a tool message: the call has an error result, 'No result was recorded for this call.'
 */
export function repair(messages: Messages, target?: RuleTarget, options?: RepairOptions): Messages
export function repair(
  messages: readonly Message[],
  target?: RuleTarget,
  options?: RepairOptions,
): readonly Message[]
export function repair(
  messages: readonly Message[] | Messages,
  target?: RuleTarget,
  options: RepairOptions = {},
): readonly Message[] | Messages {
  return withTypedErrors(() => {
    const given = snapshotMessages(messages)
    for (const [index, message] of given.entries()) checkStructure(message, child(undefined, index))
    const rules = listValidationRules(target)
    const { onRepair } = options
    const report = (repair: Repair): void => callCallback(() => onRepair?.(repair))
    let repaired = given
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const before = repaired
      for (const rule of rules) repaired = rule.repair(repaired, report)
      if (repaired === before) break
    }
    if (repaired === given) return messages
    const list = repaired.map((message, index) => checkAndFreezeMessage(message, child(undefined, index)))
    return messages instanceof Messages ? Messages.from(list) : Object.freeze(list)
  }, [messages, target, options])
}
