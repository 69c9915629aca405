import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { Json } from '../../wire/json.ts'
import { startTimeout } from '../../wire/cancellation.ts'
import type { NestedRun } from '../paused-run.ts'
import { errorMessageOf } from '../error-message.ts'
import { ToolFailure, createErrorResult, awaitToolOutput, toToolResult } from './tool-output.ts'
import { Suspended } from './nested-pause.ts'
import type { AgentTool, ToolContext } from './tool.ts'

/** What a call was answered with when the run was given up. */
export const ABORTED_CALL_MESSAGE = 'The run was aborted before this call had a result.'

/** One call that may run now. */
export interface ToolInvocation {
  readonly tool: AgentTool
  readonly call: ToolCallPart
  readonly input: unknown
  readonly context: Omit<ToolContext, 'call' | 'attempt'>
  /** For tools that do not say their own. */
  readonly timeoutMs?: number
}

/** Runs a tool, again after errors as often as it allows: it gives a result, or what an agent inside of it left open. */
export async function invokeTool(work: ToolInvocation): Promise<ToolResultPart | NestedRun> {
  const { tool, call, context } = work
  let failed = createErrorResult(call, ABORTED_CALL_MESSAGE)
  for (let number = 1; number <= tool.retries + 1 && !context.signal.aborted; number += 1) {
    try {
      return await invokeOnce(work, number)
    } catch (error) {
      failed = context.signal.aborted
        ? createErrorResult(call, ABORTED_CALL_MESSAGE)
        : toFailureResult(call, error)
    }
  }
  return failed
}

function toFailureResult(call: ToolCallPart, error: unknown): ToolResultPart {
  const content = ToolFailure.contentOf(error)
  return content.length > 0
    ? toToolResult(call, content, true)
    : createErrorResult(call, errorMessageOf(error))
}

async function invokeOnce(
  { tool, call, input, context, timeoutMs }: ToolInvocation,
  number: number,
): Promise<ToolResultPart | NestedRun> {
  const limitMs = tool.timeoutMs ?? timeoutMs ?? Infinity
  const timer = new AbortController()
  const signal = AbortSignal.any([context.signal, timer.signal])
  let isOpen = true
  // Who comes too late is not listened to any more.
  const progress = (value: Json): void => {
    if (isOpen && !signal.aborted) context.reportProgress(value)
  }
  const stopTimer = startTimeout(limitMs, () =>
    timer.abort(new Error(`The tool gave no result within ${limitMs} ms.`)),
  )
  try {
    const given = tool.run?.(input, {
      ...context,
      call,
      reportProgress: progress,
      signal,
      attempt: number,
    })
    const output = await awaitToolOutput(given, progress, signal)
    return output instanceof Suspended ? output.run : toToolResult(call, output)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    isOpen = false
    stopTimer()
  }
}
