import { ON_LOSS_CHOICES } from '../../canonical/losses/create-loss.ts'
import type { OptionNames } from '../../wire/check-options.ts'
import type { LossHandler } from '../shared/loss-reporter.ts'

/** Options of {@link toAgUi}. */
export interface AgUiOptions {
  readonly threadId: string
  /** The prefix of all message ids, so it must be unique for each run of a thread. */
  readonly runId: string
  readonly parentRunId?: string
  /**
   * Returns the text that the user reads for an error. Default: a neutral sentence with the error's code,
   * never its message.
   */
  readonly errorText?: (error: unknown) => string
  /** Ids of tool calls that the client already has, so that results and requests for approval can refer to them. */
  readonly knownCalls?: Iterable<string>
  /** `'send'` sends events that the dialect does not know as `RAW`, and opaque parts as `CUSTOM`. Default: `'send'`. */
  readonly opaque?: 'drop' | 'send'
  /** Handles losses and notes; `'error'` rejects losses. Default: `'allow'`. */
  readonly onLoss?: LossHandler
}

/** The names of the options of an AG-UI stream. */
export const AG_UI_OPTION_NAMES: OptionNames<AgUiOptions> = {
  threadId: true,
  runId: true,
  parentRunId: true,
  errorText: Function,
  knownCalls: true,
  opaque: true,
  onLoss: ON_LOSS_CHOICES,
}
