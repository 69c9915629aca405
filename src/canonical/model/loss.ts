/** One thing that did not come through unchanged. */
export interface Loss {
  /** JSON pointer into the canonical value. */
  readonly path: string
  readonly action: 'dropped' | 'downgraded' | 'moved' | 'renamed' | 'synthesized'
  /** `loss`: meaning is gone. `note`: the same, said otherwise. */
  readonly severity: 'loss' | 'note'
  /** Id of the rule that did it. */
  readonly rule: string
  readonly reason: string
}

/** A result and what it cost. */
export interface Translated<T> {
  readonly value: T
  readonly losses: readonly Loss[]
}
