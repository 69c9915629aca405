import { applicationCallsOf } from '../../agent/assistant-content.ts'
import type { NestedRun, PausedRun, PendingCall } from '../../agent/paused-run.ts'
import type { Decisions } from '../../agent/resumption.ts'
import { listNestedPendingCalls } from '../../agent/tools/nested-pause.ts'
import { createErrorResult } from '../../agent/tools/tool-output.ts'
import { toolResults } from '../../canonical/build/messages.ts'
import type { AssistantMessage, Message, ToolMessage } from '../../canonical/model/message.ts'
import type { ToolResultPart } from '../../canonical/model/part.ts'
import { stripExtra } from '../../canonical/update/strip-extra.ts'
import { digestText } from '../../wire/digest.ts'
import type { ToolCallLog } from './tool-call-log.ts'

/** Result for the model of a call that never started. */
const NOT_RUN_MESSAGE = 'This call was not run: the conversation continued without it.'

/** Result for the model of a call that may have had an effect. */
export const INTERRUPTED_MESSAGE =
  'This call was interrupted, and it is not known whether it had an effect. It was not run again.'

/** Tests whether nothing is left to do after a message: an assistant message without open calls or a pause. */
export function isFinalMessage(message: Message): boolean {
  if (message.role !== 'assistant' || applicationCallsOf(message).length > 0) return false
  return message.finish?.reason !== 'pause'
}

/** Builds results for the open calls of a message from the log. Repeating it yields the same message id. */
export async function buildResultsForOpenCalls(message: Message, log: ToolCallLog): Promise<ToolMessage> {
  const results: ToolResultPart[] = []
  for (const call of applicationCallsOf(message)) {
    const { state, nested } = await log.readLatestState(message.id, call.id)
    const reason = state === 'new' && nested === undefined ? NOT_RUN_MESSAGE : INTERRUPTED_MESSAGE
    results.push(typeof state === 'object' ? state : createErrorResult(call, reason))
  }
  return toolResults(results, { id: `msg_${digestText(`closing ${message.id}`).slice(0, 24)}` })
}

/** A message with open calls as a paused run, and the decisions about its calls. */
export interface OpenCallsAsPausedRun {
  readonly paused: PausedRun
  readonly decisions: Decisions
}

/** Converts a message with open calls into a paused run. Calls that had started were approved before. */
export async function toPausedRun(
  message: AssistantMessage,
  log: ToolCallLog,
  runId: string,
  decisions: Decisions,
): Promise<OpenCallsAsPausedRun> {
  const started: [string, 'approve'][] = []
  const pending: PendingCall[] = []
  const nested: [string, NestedRun][] = []
  for (const call of applicationCallsOf(message)) {
    const known = await log.readLatestState(message.id, call.id)
    if (known.nested !== undefined) {
      nested.push([call.id, known.nested])
      for (const each of listNestedPendingCalls(call, known.nested)) pending.push(each)
      continue
    }
    pending.push({ call: stripExtra(call), waitsFor: 'approval' })
    if (known.state !== 'new' && known.state !== 'untrusted') started.push([call.id, 'approve'])
  }
  const paused: PausedRun = {
    version: 1,
    id: runId,
    message,
    results: [],
    pending,
    nestedRuns: Object.fromEntries(nested),
    steps: [],
    toolUses: {},
    orchestratorData: {},
    elapsedMs: 0,
  }
  return { paused, decisions: { ...decisions, ...Object.fromEntries(started) } }
}
