import type { ToolCallPart } from '../../canonical/model/part.ts'
import type { NestedRun, PendingCall } from '../paused-run.ts'

/** The return value of a tool whose nested agent is paused. A class, so that no output looks like it. */
export class SuspendedToolOutput {
  readonly run: NestedRun

  constructor(run: NestedRun) {
    this.run = run
  }
}

/** Returns the pending calls of a nested run, with ids that cannot collide with those of other calls. */
export function listNestedPendingCalls(parent: ToolCallPart, { run }: NestedRun): readonly PendingCall[] {
  return run.pending.map(({ call, waitsFor }) => ({
    call: { ...call, id: toOuterCallId(call.id, parent.id) },
    waitsFor,
    parentCallId: parent.id,
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
