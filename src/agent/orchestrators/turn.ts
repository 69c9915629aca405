import type { AssistantMessage, ToolMessage } from '../../canonical/model/message.ts'
import { abortable } from '../../wire/abort.ts'
import { isSilent, ownCallsOf } from '../calls.ts'
import { wasStopped } from '../cut.ts'
import type { RunFinish } from '../result.ts'
import type { Answer, AskOptions, Run, StepResult } from './orchestrator.ts'

/** One turn of the loop that all orchestrators share, and where they differ. */
export interface Turn {
  readonly ask?: AskOptions
  /** What an answer without calls comes to. */
  readonly conclude: (answer: Answer, finish: RunFinish) => StepResult | Promise<StepResult>
  /** What an answer with calls comes to once they are answered, where that is not simply another step. */
  readonly answered?: (message: AssistantMessage, results: ToolMessage) => Promise<StepResult | undefined>
}

/** Asks the model; runs its calls and goes on, or concludes. */
export async function takeTurn(run: Run, { ask, conclude, answered }: Turn): Promise<StepResult> {
  const answer = await run.ask(ask)
  const { message } = answer
  const usage = answer.usage && { usage: answer.usage }
  const finish: RunFinish = message.finish ?? { reason: 'other' }
  if (ownCallsOf(message).length > 0) {
    const results = await run.answer(message)
    if (wasStopped(finish)) return { messages: [message, results], goOn: false, finish, ...usage }
    const step = await abortable(Promise.resolve(answered?.(message, results)), run.signal)
    return { messages: [message, results], goOn: true, ...step, ...usage }
  }
  if (isSilent(message)) return { ...silence(run, finish), ...usage }
  // A provider that pauses a long turn of its own tools goes on when its answer is sent back.
  if (finish.reason === 'pause') return { messages: [message], goOn: true, ...usage }
  // A schema that is asked may take long.
  return { ...(await abortable(Promise.resolve(conclude(answer, finish)), run.signal)), ...usage }
}

const ASKED_AGAIN = 'asked-again'

/** A model that says nothing after tools is asked once more. An answer that says nothing is not kept. */
function silence(run: Run, finish: RunFinish): StepResult {
  const afterTools = run.messages.at(-1)?.role === 'tool'
  if (afterTools && !run.data.has(ASKED_AGAIN)) {
    run.data.set(ASKED_AGAIN, true)
    return { messages: [], goOn: true }
  }
  const reason = finish.reason === 'stop' || finish.reason === 'other' ? 'no-answer' : finish.reason
  return { messages: [], goOn: false, finish: { ...finish, reason } }
}
