import type { LossHandler } from '../shared/loss-report.ts'

/** How an answer becomes AG-UI events. */
export interface AgUiOptions {
  readonly threadId: string
  /** Ids of messages are made from it, so it must be another for each run of a thread. */
  readonly runId: string
  readonly parentRunId?: string
  /** What the user reads of an error. Default: a neutral sentence with the error's code, never its message. */
  readonly errorText?: (error: unknown) => string
  /** Whether events that nobody here knows go out as `RAW`, and blocks as `CUSTOM`. Default: send. */
  readonly opaque?: 'drop' | 'send'
  /** Who hears of what did not come through unchanged; `'error'` refuses losses. */
  readonly onLoss?: LossHandler
}
