import type { AssistantMessage, ToolMessage } from '../../canonical/model/message.ts'
import { rejectOnAbort } from '../../wire/cancellation.ts'
import { applicationCallsOf, isEmptyReply, isStoppedByProvider } from '../assistant-content.ts'
import type { RunFinish } from '../agent-result.ts'
import type { EventMapper, ModelReply, ModelCallOptions, Run, StepResult } from './orchestrator.ts'

/** Maps text and reasoning deltas. Other events are only available as the `event` of the chunk. */
export const mapDeltaToChunkFields: EventMapper = (event) => {
  if (event.type === 'text-delta') return { text: event.text }
  if (event.type === 'reasoning-delta') return { thinking: event.text }
  return {}
}

/** Maps text that is not part of a typed output to metadata. */
export const mapTextDeltaToMetadata: EventMapper = (event) =>
  event.type === 'text-delta' ? { metadata: { intermediateText: event.text } } : mapDeltaToChunkFields(event)

/** The parts of a turn in which orchestrators differ. */
export interface TurnOptions {
  readonly modelCall?: ModelCallOptions
  /** Returns the step result of a reply without tool calls. */
  readonly onFinalReply: (reply: ModelReply, finish: RunFinish) => StepResult | Promise<StepResult>
  /** Returns the step result of a reply with tool calls; undefined to continue with another step. */
  readonly onToolResults?: (reply: AssistantMessage, results: ToolMessage) => Promise<StepResult | undefined>
}

/** Calls the model, runs its tool calls, and returns whether the run continues. */
export async function runTurn(run: Run, options: TurnOptions): Promise<StepResult> {
  const { modelCall, onFinalReply, onToolResults } = options
  const reply = await run.callModel(modelCall)
  const { message } = reply
  const usage = reply.usage && { usage: reply.usage }
  const finish: RunFinish = message.finish ?? { reason: 'other' }
  if (applicationCallsOf(message).length > 0) {
    const results = await run.runToolCalls(message)
    if (isStoppedByProvider(finish))
      return { messages: [message, results], shouldContinue: false, finish, ...usage }
    const step = await rejectOnAbort(Promise.resolve(onToolResults?.(message, results)), run.signal)
    return { messages: [message, results], shouldContinue: true, ...step, ...usage }
  }
  if (isEmptyReply(message)) return { ...handleEmptyReply(run, finish), ...usage }
  // A provider that pauses a long turn of its own tools continues when its message is sent back.
  if (finish.reason === 'pause') return { messages: [message], shouldContinue: true, ...usage }
  // Validation by a schema may be asynchronous and slow.
  return { ...(await rejectOnAbort(Promise.resolve(onFinalReply(reply, finish)), run.signal)), ...usage }
}

const EMPTY_REPLY_RETRIED_KEY = 'empty-reply-retried'

/** Calls the model once more if it returns nothing after tool results; an empty message is not kept. */
function handleEmptyReply(run: Run, finish: RunFinish): StepResult {
  const afterTools = run.messages.at(-1)?.role === 'tool'
  if (afterTools && !run.data.has(EMPTY_REPLY_RETRIED_KEY)) {
    run.data.set(EMPTY_REPLY_RETRIED_KEY, true)
    return { messages: [], shouldContinue: true }
  }
  const reason = finish.reason === 'stop' || finish.reason === 'other' ? 'no-answer' : finish.reason
  return { messages: [], shouldContinue: false, finish: { ...finish, reason } }
}
