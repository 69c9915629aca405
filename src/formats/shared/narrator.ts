import type {
  ChatEvent,
  FinishEvent,
  OpaqueEvent,
  StartEvent,
  UsageEvent,
} from '../../canonical/model/event.ts'
import type { ToolMessage } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { Path } from '../../wire/pointer.ts'
import type { Unit } from './unit.ts'

/** What a UI is told: the events of one answer after the other, and the results of tools between them. */
export type UiEvent = ChatEvent | ToolMessage

/** One answer of a run. */
export interface Step {
  readonly number: number
  readonly at: Path
  readonly start?: StartEvent
}

/** A result, and the call that it answers. */
export interface Result {
  /** Unique in the stream. */
  readonly id: string
  readonly part: ToolResultPart
  readonly at: Path
  /** The id under which the call went out; undefined when the UI knows no such call. */
  readonly callId: string | undefined
  /** Whether it came in an answer: the provider ran the tool. */
  readonly provided: boolean
}

/** What a protocol says at each moment of a run. */
export interface Narrator<T> {
  /** Before everything else; without an answer there is no `start`. */
  begin(start: StartEvent | undefined): readonly T[]
  beginStep(step: Step): readonly T[]
  open(unit: Unit): readonly T[]
  grow(unit: Unit, piece: string): readonly T[]
  /** A part is whole, or with `cut` will never be. */
  close(unit: Unit, whole: AssistantPart, cut: boolean): readonly T[]
  /** Something was added to a part after it was closed: citations, or another signature. */
  amend(unit: Unit, before: AssistantPart, after: AssistantPart): readonly T[]
  result(result: Result): readonly T[]
  usage(event: UsageEvent, step: Step): readonly T[]
  finish(event: FinishEvent, step: Step): readonly T[]
  opaque(event: OpaqueEvent, step: Step): readonly T[]
  endStep(step: Step): readonly T[]
  /** All was told. */
  end(): readonly T[]
  /** The last word when something failed. */
  fail(error: unknown): readonly T[]
}
