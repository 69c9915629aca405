import type { FinishEvent, OpaqueEvent, StartEvent, UsageEvent } from '../../canonical/model/event.ts'
import type { Json } from '../../wire/json.ts'
import type { AssistantPart, ToolResultPart } from '../../canonical/model/part.ts'
import { InterlinguaError, ProviderError } from '../../errors.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { PartInProgress } from './part-in-progress.ts'
import { createUniqueNamer } from '../../wire/unique-names.ts'

/** Assigns unique ids to tool calls. A result belongs to the oldest call of its id that has no result. */
export class UiCallIdAssigner {
  readonly #used = new Set<string>()
  readonly #uniqueId = createUniqueNamer(this.#used, '-')
  /** By id: the UI ids of the calls without a result, oldest first, and of the latest call. */
  readonly #calls = new Map<string, { readonly pending: string[]; latest: string }>()

  /** `known` are the ids of calls that the UI already has. */
  constructor(known: Iterable<string> = []) {
    for (const id of known) if (!this.#used.has(id)) this.assignId(id)
  }

  /** Returns the UI id of a new tool call. */
  assignId(id: string): string {
    const uniqueId = this.#uniqueId(id)
    const calls = this.#calls.get(id) ?? { pending: [], latest: uniqueId }
    calls.latest = uniqueId
    calls.pending.push(uniqueId)
    this.#calls.set(id, calls)
    return uniqueId
  }

  /** Returns the UI id of a call that is running or waits for approval. */
  findOpenCall(id: string): string | undefined {
    const calls = this.#calls.get(id)
    return calls && (calls.pending[0] ?? calls.latest)
  }

  /** Returns the UI id of the call of a result, and whether that call already had one. */
  matchResult(id: string): { readonly id: string; readonly isRepeated: boolean } | undefined {
    const calls = this.#calls.get(id)
    if (calls === undefined) return undefined
    const next = calls.pending.shift()
    return { id: next ?? calls.latest, isRepeated: next === undefined }
  }
}

/** One response of a run. */
export interface UiStep {
  readonly number: number
  readonly path: Path
  readonly start?: StartEvent
}

/** A tool result, and its tool call. */
export interface UiToolResult {
  /** Unique in the stream. */
  readonly id: string
  readonly part: ToolResultPart
  readonly path: Path
  /** The id of the tool call in the UI; undefined if the UI does not know the call. */
  readonly callId: string | undefined
  /** True if the result was part of a response: the provider ran the tool. */
  readonly isProviderExecuted: boolean
}

/** Writes a run in the format of a UI protocol. */
export interface ProtocolWriter<T> {
  /** Called first; `start` is undefined for a run without a response. */
  beginRun(start: StartEvent | undefined): readonly T[]
  beginStep(step: UiStep): readonly T[]
  openPart(progress: PartInProgress): readonly T[]
  appendToPart(progress: PartInProgress, delta: string): readonly T[]
  /** Closes a part that is complete, or that will never be (`isTruncated`). */
  closePart(progress: PartInProgress, finalPart: AssistantPart, isTruncated: boolean): readonly T[]
  /** Writes what was added to a part after it was closed: citations, or another signature. */
  amendPart(progress: PartInProgress, before: AssistantPart, after: AssistantPart): readonly T[]
  writeResult(result: UiToolResult): readonly T[]
  /** Writes the progress of a tool; `callId` is the id of its call in the UI. Absent if a run has no tools. */
  writeProgress?(callId: string, progress: Json): readonly T[]
  /** Asks the user to approve a call; `id` is the key of the decision. */
  writeApprovalRequest?(callId: string, id: string): readonly T[]
  writeUsage(event: UsageEvent, step: UiStep): readonly T[]
  writeFinish(event: FinishEvent, step: UiStep): readonly T[]
  writeOpaque(event: OpaqueEvent, step: UiStep): readonly T[]
  endStep(step: UiStep): readonly T[]
  /** Ends a run that did not fail. */
  endRun(): readonly T[]
  /** Ends a run that failed. */
  failRun(error: unknown): readonly T[]
}

/** Returns an identifier of an error that is safe to show: its code, or the kind of a provider error. */
export function toPublicErrorCode(error: unknown): string | undefined {
  if (error instanceof ProviderError) return error.kind
  return error instanceof InterlinguaError ? error.code : undefined
}

/** Returns the default text for an error: messages may contain keys, addresses and text of other users. */
export function toPublicErrorText(error: unknown): string {
  const code = toPublicErrorCode(error)
  return code === undefined
    ? 'The response could not be completed.'
    : `The response could not be completed (${code}).`
}

/** Returns true for the error of an aborted call, which is not a failure. */
export function isAbortError(error: unknown): boolean {
  return toPublicErrorCode(error) === 'aborted' || (error instanceof Error && error.name === 'AbortError')
}
