import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { Json } from '../../wire/json.ts'
import { startTimeout } from '../../wire/cancellation.ts'
import type { NestedRun } from '../paused-run.ts'
import { awaitToolOutput, createAbortedResult, toFailureResult, toToolResult } from './tool-output.ts'
import { SuspendedToolOutput } from './nested-pause.ts'
import type { AgentTool, ToolContext } from './tool.ts'

/** A tool call that is ready to run. */
export interface ToolInvocation {
  readonly tool: AgentTool
  readonly call: ToolCallPart
  readonly input: unknown
  readonly context: Omit<ToolContext, 'call' | 'attempt'>
  /** The time limit of tools without one of their own. */
  readonly timeoutMs?: number
}

/** Runs a tool and retries it after errors. Returns its result, or the paused run of a nested agent. */
export async function invokeTool(invocation: ToolInvocation): Promise<ToolResultPart | NestedRun> {
  const { tool, call, context } = invocation
  let failed = createAbortedResult(call)
  for (let attempt = 1; attempt <= tool.retries + 1 && !context.signal.aborted; attempt += 1) {
    try {
      return await invokeOnce(invocation, attempt)
    } catch (error) {
      failed = context.signal.aborted ? createAbortedResult(call) : toFailureResult(call, error)
    }
  }
  return failed
}

async function invokeOnce(
  { tool, call, input, context, timeoutMs }: ToolInvocation,
  attempt: number,
): Promise<ToolResultPart | NestedRun> {
  const limitMs = tool.timeoutMs ?? timeoutMs ?? Infinity
  const timer = new AbortController()
  const signal = AbortSignal.any([context.signal, timer.signal])
  let isOpen = true
  // Progress reported after the end of the call is ignored.
  const reportProgress = (value: Json): void => {
    if (isOpen && !signal.aborted) context.reportProgress(value)
  }
  const stopTimer = startTimeout(limitMs, () =>
    timer.abort(new Error(`The tool returned no result within ${limitMs} ms.`)),
  )
  try {
    const returned = tool.run?.(input, { ...context, call, reportProgress, signal, attempt })
    const output = await awaitToolOutput(returned, reportProgress, signal)
    return output instanceof SuspendedToolOutput ? output.run : toToolResult(call, output)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    isOpen = false
    stopTimer()
  }
}
