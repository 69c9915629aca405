import type { Message } from '../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../canonical/model/part.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ModelReply, Run, StepResult } from './orchestrators/orchestrator.ts'
import type { AgentResult } from './agent-result.ts'
import type { Decision } from './tools/decision.ts'

type MaybePromise<T> = T | Promise<T>

/**
 * Functions that are called during a run. Each is awaited; if one throws, the run ends with its error. Some
 * may return a value that replaces their input; returning nothing changes nothing.
 */
export interface AgentHooks {
  /** Called before each model call; may return another request. */
  beforeModel?(request: ChatRequest, run: Run): MaybePromise<ChatRequest | undefined | void>
  /** Called after each model call. */
  afterModel?(reply: ModelReply, run: Run): MaybePromise<void>
  /** Called before a tool runs. A decision replaces the run; `'approve'` or nothing runs the tool. */
  beforeTool?(call: ToolCallPart, run: Run): MaybePromise<Decision | undefined | void>
  /** Called after each tool result; may return another result. */
  afterTool?(
    result: ToolResultPart,
    call: ToolCallPart,
    run: Run,
  ): MaybePromise<ToolResultPart | undefined | void>
  /** Called once per new message: before the tools of an assistant message run, and after tool results. */
  onMessage?(message: Message, run: Run): MaybePromise<void>
  /** Called when a step is complete, before the next one starts. */
  onStep?(step: StepResult, run: Run): MaybePromise<void>
  /** Called when the run has ended for any reason except an error. */
  onEnd?(result: AgentResult, run: Run): MaybePromise<void>
}

/** Combines hooks. They are called in order, each with the value that the previous one returned. */
export function joinHooks(...all: readonly (AgentHooks | undefined)[]): Required<AgentHooks> {
  const hooks = all.filter((each) => each !== undefined)

  async function notify(call: (each: AgentHooks) => MaybePromise<void>): Promise<void> {
    for (const each of hooks) await call(each)
  }

  async function replace<T>(
    value: T,
    call: (each: AgentHooks, current: T) => MaybePromise<T | undefined | void>,
  ): Promise<T> {
    let current = value
    for (const each of hooks) current = (await call(each, current)) ?? current
    return current
  }

  return {
    beforeModel: (request, run) => replace(request, (each, current) => each.beforeModel?.(current, run)),
    afterModel: (reply, run) => notify((each) => each.afterModel?.(reply, run)),
    async beforeTool(call, run) {
      for (const each of hooks) {
        const decision = await each.beforeTool?.(call, run)
        if (decision !== undefined && decision !== 'approve') return decision
      }
      return undefined
    },
    afterTool: (result, call, run) =>
      replace(result, (each, current) => each.afterTool?.(current, call, run)),
    onMessage: (message, run) => notify((each) => each.onMessage?.(message, run)),
    onStep: (step, run) => notify((each) => each.onStep?.(step, run)),
    onEnd: (result, run) => notify((each) => each.onEnd?.(result, run)),
  }
}
