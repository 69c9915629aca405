import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { NestedRun, PendingCall } from '../paused-run.ts'
import type { NestedResumption } from '../resumption.ts'
import type { Decision } from './decision.ts'
import { listNestedPendingCalls } from './nested-pause.ts'

/** Options of {@link ToolExecutor.executeBatch}. */
export interface ToolBatchOptions {
  /** Existing results, by call id; these calls are not run. */
  readonly knownResults?: ReadonlyMap<string, ToolResultPart>
  /** Calls that must not run, by call id, with the error message for the model. */
  readonly blockedCalls?: ReadonlyMap<string, string>
  /** Decisions of the caller, by call id. */
  readonly decisions?: ReadonlyMap<string, Decision>
  /** Paused runs of nested agents, by call id; these calls were approved before and are resumed. */
  readonly nested?: ReadonlyMap<string, NestedResumption>
  /** Called with each new result as soon as it is available. */
  readonly onResult?: (result: ToolResultPart) => void
}

/** The outcome of a batch of tool calls. */
export interface ToolBatchResult {
  /** The available results, in the order of the calls. */
  readonly results: readonly ToolResultPart[]
  /** The calls that wait for the caller. */
  readonly pending: readonly PendingCall[]
  /** Paused runs of nested agents, by call id. Their pending calls are included in `pending`. */
  readonly nested: ReadonlyMap<string, NestedRun>
}

/** The outcome of one tool call. */
export type CallOutcome =
  | ToolResultPart
  | PendingCall
  | { readonly call: ToolCallPart; readonly nested: NestedRun }

/** Groups the outcomes of a batch into results, pending calls and nested runs. */
export function groupOutcomes(outcomes: readonly CallOutcome[]): ToolBatchResult {
  const results = outcomes.filter((each) => 'type' in each)
  const nested = outcomes.filter((each) => 'nested' in each)
  const ownPending = outcomes.filter((each) => 'waitsFor' in each)
  const nestedPending = nested.flatMap((each) => listNestedPendingCalls(each.call, each.nested))
  // If two ids are equal, the decision applies to the first call, and the other stays pending until then.
  const byId = new Map([...ownPending, ...nestedPending].toReversed().map((each) => [each.call.id, each]))
  return {
    results,
    pending: [...ownPending, ...nestedPending].filter((each) => byId.get(each.call.id) === each),
    nested: new Map(nested.map((each) => [each.call.id, each.nested])),
  }
}
