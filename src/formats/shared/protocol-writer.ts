import type {
  ChatEvent,
  FinishEvent,
  OpaqueEvent,
  StartEvent,
  UsageEvent,
} from '../../canonical/model/event.ts'
import type { ToolMessage } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { PartInProgress } from './part-in-progress.ts'

/** What a UI is told: the events of one answer after the other, and the results of tools between them. */
export type UiEvent = ChatEvent | ToolMessage

/** One answer of a run. */
export interface UiStep {
  readonly number: number
  readonly path: Path
  readonly start?: StartEvent
}

/** A result, and the call that it answers. */
export interface UiToolResult {
  /** Unique in the stream. */
  readonly id: string
  readonly part: ToolResultPart
  readonly path: Path
  /** The id under which the call went out; undefined when the UI knows no such call. */
  readonly callId: string | undefined
  /** Whether it came in an answer: the provider ran the tool. */
  readonly isProviderExecuted: boolean
}

/** What a protocol says at each moment of a run. */
export interface ProtocolWriter<T> {
  /** Before everything else; without an answer there is no `start`. */
  beginRun(start: StartEvent | undefined): readonly T[]
  beginStep(step: UiStep): readonly T[]
  openPart(progress: PartInProgress): readonly T[]
  appendToPart(progress: PartInProgress, piece: string): readonly T[]
  /** A part is finalPart, or with `isTruncated` will never be. */
  closePart(progress: PartInProgress, finalPart: AssistantPart, isTruncated: boolean): readonly T[]
  /** Something was added to a part after it was closed: citations, or another signature. */
  amendPart(progress: PartInProgress, before: AssistantPart, after: AssistantPart): readonly T[]
  writeResult(result: UiToolResult): readonly T[]
  writeUsage(event: UsageEvent, step: UiStep): readonly T[]
  writeFinish(event: FinishEvent, step: UiStep): readonly T[]
  writeOpaque(event: OpaqueEvent, step: UiStep): readonly T[]
  endStep(step: UiStep): readonly T[]
  /** All was told. */
  endRun(): readonly T[]
  /** The last word when something failed. */
  failRun(error: unknown): readonly T[]
}
