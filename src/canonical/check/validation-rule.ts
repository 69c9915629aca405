import type { Message } from '../model/message.ts'

/** A problem of a conversation. */
export interface Problem {
  /** The id of the broken rule. */
  readonly rule: string
  /** JSON pointer into the list of messages. */
  readonly path: string
  /** `error`: providers reject the conversation. `warning`: they accept it, but it is not as intended. */
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** A change that a repair made to solve a {@link Problem}. `described`: the part was replaced by text. */
export interface Repair {
  readonly rule: string
  readonly action: 'added' | 'described' | 'removed' | 'moved' | 'renamed'
  /**
   * JSON pointer into the list of messages before the repair of the rule: to the part or message that was
   * changed, or to the call for which a result was added.
   */
  readonly path: string
}

/** A named condition that a conversation must meet, with its check and its repair. Dialects add their own. */
export interface Rule {
  readonly id: string
  readonly severity: 'error' | 'warning'
  /** The condition, in one sentence. */
  readonly summary: string
  /** Returns the JSON pointers to what breaks the rule, each with the problem. */
  check(messages: readonly Message[]): Iterable<{ readonly path: string; readonly message: string }>
  /** Returns the repaired conversation; the same array if nothing is wrong. */
  repair(messages: readonly Message[], report: (repair: Repair) => void): readonly Message[]
}

/** A target with rules of its own, such as a dialect. */
export interface RuleTarget {
  readonly rules: readonly Rule[]
}

/** The position of a message, or of a part of it. */
export interface MessagePosition {
  readonly message: number
  readonly part?: number
}

/** Returns the JSON pointer of a message, or of a part of it. */
export function toMessagePath({ message, part }: MessagePosition): string {
  return part === undefined ? `/${message}` : `/${message}/content/${part}`
}

/** The repair of one rule. */
export interface RepairContext {
  readonly rule: string
  readonly messages: readonly Message[]
  /** Reports a change, of this rule unless another is given. */
  readonly report: (action: Repair['action'], position: MessagePosition, rule?: string) => void
}

/** A rule whose check and repair need the same positions. */
interface RuleDefinition<T extends MessagePosition> extends Pick<Rule, 'id' | 'severity' | 'summary'> {
  /** The problem, as {@link validate} reports it. */
  readonly problem: string
  /** Returns what breaks the rule. */
  readonly find: (messages: readonly Message[]) => readonly T[]
  /** Returns what the repair changes, if that is more than what breaks the rule. */
  readonly findRepairable?: (messages: readonly Message[]) => readonly T[]
  readonly repair: (context: RepairContext, found: readonly T[]) => readonly Message[]
}

export function createValidationRule<T extends MessagePosition>(definition: RuleDefinition<T>): Rule {
  const { id, severity, summary, problem, find, findRepairable = find, repair } = definition
  return {
    id,
    severity,
    summary,
    check: (messages) => find(messages).map((found) => ({ path: toMessagePath(found), message: problem })),
    repair: (messages, report) => {
      const found = findRepairable(messages)
      if (found.length === 0) return messages
      const reportChange: RepairContext['report'] = (action, position, rule = id) =>
        report({ rule, action, path: toMessagePath(position) })
      return repair({ rule: id, messages, report: reportChange }, found)
    },
  }
}
