import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { Json } from '../../wire/json.ts'
import { startTimer } from '../../wire/timer.ts'
import type { NestedRun } from '../paused.ts'
import { messageOf } from '../words.ts'
import { ToolFailure } from './failure.ts'
import { LeftOpen } from './left-open.ts'
import { errorResult, outputOf, resultOf } from './output.ts'
import type { AgentTool, ToolContext } from './tool.ts'

/** What a call was answered with when the run was given up. */
export const ABORTED = 'The run was aborted before this call had a result.'

/** One call that may run now. */
export interface Attempt {
  readonly tool: AgentTool
  readonly call: ToolCallPart
  readonly input: unknown
  readonly context: Omit<ToolContext, 'call' | 'attempt'>
  /** For tools that do not say their own. */
  readonly timeout?: number
}

/** Runs a tool, again after errors as often as it allows: it gives a result, or what an agent inside of it left open. */
export async function attempt(work: Attempt): Promise<ToolResultPart | NestedRun> {
  const { tool, call, context } = work
  let failed = errorResult(call, ABORTED)
  for (let number = 1; number <= tool.retries + 1 && !context.signal.aborted; number += 1) {
    try {
      return await once(work, number)
    } catch (error) {
      failed = context.signal.aborted ? errorResult(call, ABORTED) : failure(call, error)
    }
  }
  return failed
}

function failure(call: ToolCallPart, error: unknown): ToolResultPart {
  const content = ToolFailure.contentOf(error)
  return content.length > 0 ? resultOf(call, content, true) : errorResult(call, messageOf(error))
}

async function once(
  { tool, call, input, context, timeout }: Attempt,
  number: number,
): Promise<ToolResultPart | NestedRun> {
  const time = tool.timeout ?? timeout ?? Infinity
  const timer = new AbortController()
  const signal = AbortSignal.any([context.signal, timer.signal])
  let open = true
  // Who comes too late is not listened to any more.
  const progress = (told: Json): void => {
    if (open && !signal.aborted) context.progress(told)
  }
  const stopTimer = startTimer(time, () =>
    timer.abort(new Error(`The tool gave no result within ${time} ms.`)),
  )
  try {
    const given = tool.run?.(input, {
      ...context,
      call,
      progress,
      signal,
      attempt: number,
    })
    const output = await outputOf(given, progress, signal)
    return output instanceof LeftOpen ? output.run : resultOf(call, output)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    open = false
    stopTimer()
  }
}
