import type { Message } from '../model/message.ts'

/** Something wrong with a conversation. */
export interface Problem {
  /** Id of the rule that it breaks. */
  readonly rule: string
  /** JSON pointer into the list of messages. */
  readonly path: string
  /** `error`: providers refuse it. `warning`: accepted, but not what it should be. */
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** What a repair did to mend a {@link Problem}. */
export interface Repair {
  readonly rule: string
  readonly action: 'added' | 'described' | 'removed' | 'moved' | 'renamed'
  /**
   * JSON pointer into the list of messages as it was when the rule began its work: what was removed, moved or renamed;
   * for what was added, the call that it answers.
   */
  readonly path: string
}

/** A named condition that a conversation must meet, and how to meet it. Dialects bring their own. */
export interface Rule {
  readonly id: string
  readonly severity: 'error' | 'warning'
  /** What must hold, in one sentence. */
  readonly summary: string
  /** The places where it does not hold, as JSON pointers with what is wrong there. */
  check(messages: readonly Message[]): Iterable<{ readonly path: string; readonly message: string }>
  /** The conversation mended; the same array when nothing is wrong. */
  repair(messages: readonly Message[], report: (repair: Repair) => void): readonly Message[]
}

/** Anything that brings rules of its own, such as a dialect. */
export interface RuleTarget {
  readonly rules: readonly Rule[]
}
