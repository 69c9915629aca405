import type { ToolResultPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { LossHandler } from '../shared/loss-report.ts'
import type { MetadataEvent } from './metadata.ts'

/** How an answer becomes a UI message stream. */
export interface UIMessageStreamOptions {
  /**
   * The id of the UI message. Default: the id of the first answer; without one the client makes its own. To go on with a
   * message that the client has, pass its id.
   */
  readonly messageId?: string
  /** Metadata for the message, at each start, usage and finish; objects are merged. Default: none is sent. */
  readonly messageMetadata?: (event: MetadataEvent) => JsonObject | undefined
  /** What the user reads of an error. Default: a neutral sentence with the error's code, never its message. */
  readonly errorText?: (error: unknown) => string
  /** What the user reads of a tool that failed. Default: what the model reads. */
  readonly toolErrorText?: (result: ToolResultPart) => string
  /** Which tools the client does not know by name: they become `dynamic-tool` parts. Default: none. */
  readonly isDynamicTool?: (name: string) => boolean
  /** Ids of calls that the client has from before, so that results can answer them. */
  readonly knownCalls?: Iterable<string>
  /** Whether blocks and events that nobody here knows go out as `data-opaque`. Default: drop. */
  readonly opaque?: 'drop' | 'data'
  /** Who hears of what did not come through unchanged; `'error'` refuses losses. */
  readonly onLoss?: LossHandler
}
