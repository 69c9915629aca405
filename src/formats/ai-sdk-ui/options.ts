import { ON_LOSS_CHOICES } from '../../canonical/losses/create-loss.ts'
import type { ToolResultPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { OptionNames } from '../../wire/check-options.ts'
import type { LossHandler } from '../shared/loss-reporter.ts'
import type { MetadataEvent } from './build-message-metadata.ts'

/** Options of {@link toUIMessageStream}. */
export interface UIMessageStreamOptions {
  /**
   * The id of the UI message. Default: the id of the first response; without one the client creates an id. To
   * continue a message that the client already has, pass its id.
   */
  readonly messageId?: string
  /**
   * Returns metadata for the message at each start, usage and finish event; objects are merged. Default: no metadata.
   */
  readonly messageMetadata?: (event: MetadataEvent) => JsonObject | undefined
  /**
   * Returns the text that the user reads for an error. Default: a neutral sentence with the error's code,
   * never its message.
   */
  readonly errorText?: (error: unknown) => string
  /** Returns the text that the user reads for a failed tool. Default: the text that the model reads. */
  readonly toolErrorText?: (result: ToolResultPart) => string
  /**
   * Returns true for a tool that the client does not know by name: its calls become `dynamic-tool` parts.
   * Default: none.
   */
  readonly isDynamicTool?: (name: string) => boolean
  /** Ids of tool calls that the client already has, so that results can refer to them. */
  readonly knownCalls?: Iterable<string>
  /** Ids of tool calls that the user denied: the client shows them as denied, and not as failed. */
  readonly deniedCalls?: ReadonlySet<string>
  /** `'data'` sends events and parts that the dialect does not know as `data-opaque`. Default: `'drop'`. */
  readonly opaque?: 'drop' | 'data'
  /** Handles losses and notes; `'error'` rejects losses. Default: `'allow'`. */
  readonly onLoss?: LossHandler
}

/** The names of the options of a UI message stream. */
export const UI_STREAM_OPTION_NAMES: OptionNames<UIMessageStreamOptions> = {
  messageId: true,
  messageMetadata: Function,
  errorText: Function,
  toolErrorText: Function,
  isDynamicTool: Function,
  knownCalls: true,
  deniedCalls: true,
  opaque: true,
  onLoss: ON_LOSS_CHOICES,
}
