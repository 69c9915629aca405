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

/**
 * A named condition that a conversation must meet, with its check and its repair. Dialects add their own
 * rules.
 */
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
