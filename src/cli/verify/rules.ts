/** What must hold for everything that is verified, by id. */
export const RULES = {
  'own-exact': 'Written back in its own format, it is the same JSON.',
  'own-lossless': 'Written back in its own format, nothing is lost.',
  readable: 'What is written in another format can be read in it.',
  stable: 'Read there and written again, it is the same JSON.',
  accepted: 'What is written breaks no rule of the format, unless the conversation was broken before.',
  told: 'Words and calls that did not cross are told as a loss or a note.',
} as const

export type RuleId = keyof typeof RULES

/** A place where a rule is broken. */
export interface Breach {
  readonly place: string
  /** The format that was written. */
  readonly to: string
  readonly detail: string
}
