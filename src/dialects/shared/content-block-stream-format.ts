import type { Citation } from '../../canonical/model/citation.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { Slot } from '../engine/residue-slots.ts'

/** The content of an encoded block: of text and reasoning, what deltas contain. */
export interface BlockContent {
  readonly kind: 'text' | 'reasoning' | 'other'
  readonly text?: string
  readonly signature?: string
  /** The arguments of a call. */
  readonly input?: JsonObject
}

/** How a dialect writes the blocks of a stream. */
export interface BlockStreamFormat {
  readonly slot: Slot<'signatureFollows'>
  /** The vendor of the signatures that the dialect writes. */
  readonly vendor: string
  readonly kinds: Readonly<Record<'messageStart' | 'start' | 'delta' | 'stop', string>>
  /** Returns true if an event opens the block of a part; otherwise its first delta does. */
  hasStartEvent(part: AssistantPart): boolean
  /** True if the content of a complete part is in a delta, not in the event that opens its block. */
  readonly hasWholeDeltas?: true
  /** Returns true for a call of a hosted tool whose arguments can be streamed. */
  isStreamedHostedCall(call: ToolCallPart): boolean
  encodePart(part: AssistantPart, path: Path, context: EncodeContext): JsonObject | undefined
  readBlock(block: JsonObject): BlockContent
  /** Returns true for a citation that a delta can contain. */
  isCitationWritten(citation: Citation): boolean
}
