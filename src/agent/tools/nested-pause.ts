import type { ToolCallPart } from '../../canonical/model/part.ts'
import type { NestedRun, PendingCall } from '../paused-run.ts'

/** What a tool gives whose agent waits for the caller. A class of its own, so that no output can be taken for it. */
export class Suspended {
  readonly run: NestedRun

  constructor(run: NestedRun) {
    this.run = run
  }
}

/** The calls that wait inside of a call, under ids that are unlike those of other calls. */
export function listNestedPendingCalls(
  { id: parentCallId }: ToolCallPart,
  { run }: NestedRun,
): readonly PendingCall[] {
  return run.pending.map(({ call, waitsFor }) => ({
    call: { ...call, id: toOuterCallId(call.id, parentCallId) },
    waitsFor,
    parentCallId,
  }))
}

/** Returns the id that the caller uses to decide about a call of a nested agent. */
function toOuterCallId(id: string, parentCallId: string): string {
  return `${parentCallId}/${id}`
}

/** Inverts {@link toOuterCallId}. */
export function toInnerCallId(id: string, parentCallId: string): string {
  return id.slice(toOuterCallId('', parentCallId).length)
}
