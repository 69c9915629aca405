import { child } from '../../wire/json-pointer.ts'
import { Messages } from '../collections/messages.ts'
import type { Message } from '../model/message.ts'
import { toFrozenMessage } from '../shape/strict-reader.ts'
import { snapshotMessages } from './call-pairing.ts'
import type { Repair, Rule, RuleTarget } from './rule.ts'
import { rulesFor } from './validate.ts'

/** Options of {@link repair}. */
export interface RepairOptions {
  /** Hears of everything that is done, in order. */
  readonly onRepair?: (repair: Repair) => void
}

/** Our own rules need one round and one to see that nothing is left; a target's may undo each other for ever. */
const MAX_ROUNDS = 8

/**
 * Mends what {@link validate} finds, and returns the very same object when nothing is wrong. It adds, removes and moves
 * whole parts and messages, and changes nothing inside them but an id that occurs twice. The same conversation gives the
 * same repair each time, without a clock or chance, so cached prefixes stay valid; what was added or touched says so in
 * `metadata.interlingua.repaired`.
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
  const given = snapshotMessages(messages)
  const repaired = applyRules(given, rulesFor(target), options.onRepair ?? (() => {}))
  if (repaired === given) return messages
  const list = repaired.map((message, index) => toFrozenMessage(message, child(undefined, index)))
  return messages instanceof Messages ? Messages.from(list) : Object.freeze(list)
}

function applyRules(
  given: readonly Message[],
  rules: readonly Rule[],
  report: (repair: Repair) => void,
): readonly Message[] {
  let list = given
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = list
    for (const rule of rules) list = rule.repair(list, report)
    if (list === before) break
  }
  return list
}
