import type { AssistantMessage, ToolMessage } from '../../canonical/model/message.ts'
import { rejectOnAbort } from '../../wire/cancellation.ts'
import { isEmptyReply, applicationCallsOf } from '../assistant-content.ts'
import { isStoppedByProvider } from '../truncated-calls.ts'
import type { RunFinish } from '../agent-result.ts'
import type { ModelReply, ModelCallOptions, Run, StepResult } from './orchestrator.ts'

/** One turn of the loop that all orchestrators share, and where they differ. */
export interface TurnOptions {
  readonly modelCall?: ModelCallOptions
  /** What an answer without calls comes to. */
  readonly onFinalReply: (answer: ModelReply, finish: RunFinish) => StepResult | Promise<StepResult>
  /** What an answer with calls comes to once they are answered, where that is not simply another step. */
  readonly onToolResults?: (
    message: AssistantMessage,
    results: ToolMessage,
  ) => Promise<StepResult | undefined>
}

/** Asks the model; runs its calls and goes on, or concludes. */
export async function runTurn(
  run: Run,
  { modelCall, onFinalReply, onToolResults }: TurnOptions,
): Promise<StepResult> {
  const answer = await run.callModel(modelCall)
  const { message } = answer
  const usage = answer.usage && { usage: answer.usage }
  const finish: RunFinish = message.finish ?? { reason: 'other' }
  if (applicationCallsOf(message).length > 0) {
    const results = await run.runToolCalls(message)
    if (isStoppedByProvider(finish))
      return { messages: [message, results], shouldContinue: false, finish, ...usage }
    const step = await rejectOnAbort(Promise.resolve(onToolResults?.(message, results)), run.signal)
    return { messages: [message, results], shouldContinue: true, ...step, ...usage }
  }
  if (isEmptyReply(message)) return { ...handleEmptyReply(run, finish), ...usage }
  // A provider that pauses a long turn of its own tools goes on when its answer is sent back.
  if (finish.reason === 'pause') return { messages: [message], shouldContinue: true, ...usage }
  // A schema that is asked may take long.
  return { ...(await rejectOnAbort(Promise.resolve(onFinalReply(answer, finish)), run.signal)), ...usage }
}

const EMPTY_REPLY_RETRIED_KEY = 'asked-again'

/** A model that says nothing after tools is asked once more. An answer that says nothing is not kept. */
function handleEmptyReply(run: Run, finish: RunFinish): StepResult {
  const afterTools = run.messages.at(-1)?.role === 'tool'
  if (afterTools && !run.data.has(EMPTY_REPLY_RETRIED_KEY)) {
    run.data.set(EMPTY_REPLY_RETRIED_KEY, true)
    return { messages: [], shouldContinue: true }
  }
  const reason = finish.reason === 'stop' || finish.reason === 'other' ? 'no-answer' : finish.reason
  return { messages: [], shouldContinue: false, finish: { ...finish, reason } }
}
