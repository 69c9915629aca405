/** Why a model stopped. */
export const FINISH_REASONS = [
  'stop',
  'tool-calls',
  'length',
  'content-filter',
  'refusal',
  'pause',
  'error',
  'aborted',
  'other',
] as const

export type FinishReason = (typeof FINISH_REASONS)[number]

export interface Finish {
  readonly reason: FinishReason
  /** The provider's own word; it counts only while it still means `reason`. */
  readonly raw?: string
  /** The stop sequence that ended the text. */
  readonly stopSequence?: string
}
