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
  return {
    async beforeModel(request, run) {
      let current = request
      for (const each of hooks) current = (await each.beforeModel?.(current, run)) ?? current
      return current
    },
    async afterModel(reply, run) {
      for (const each of hooks) await each.afterModel?.(reply, run)
    },
    async beforeTool(call, run) {
      for (const each of hooks) {
        const decision = await each.beforeTool?.(call, run)
        if (decision !== undefined && decision !== 'approve') return decision
      }
      return undefined
    },
    async afterTool(result, call, run) {
      let current = result
      for (const each of hooks) current = (await each.afterTool?.(current, call, run)) ?? current
      return current
    },
    async onMessage(message, run) {
      for (const each of hooks) await each.onMessage?.(message, run)
    },
    async onStep(step, run) {
      for (const each of hooks) await each.onStep?.(step, run)
    },
    async onEnd(result, run) {
      for (const each of hooks) await each.onEnd?.(result, run)
    },
  }
}
