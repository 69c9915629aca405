import type { Message } from '../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../canonical/model/part.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ModelReply, Run, StepResult } from './orchestrators/orchestrator.ts'
import type { AgentResult } from './agent-result.ts'
import type { Decision } from './tools/decision.ts'

type MaybePromise<T> = T | Promise<T>

/**
 * What is called while a run goes on. Each is waited for; one that throws ends the run with its error. Those that give
 * something change what happens, and nothing given changes nothing.
 */
export interface AgentHooks {
  /** Before each call of the model; may give another request. */
  beforeModel?(request: ChatRequest, run: Run): MaybePromise<ChatRequest | undefined | void>
  /** After each call of the model. */
  afterModel?(answer: ModelReply, run: Run): MaybePromise<void>
  /** Before a tool runs; a decision takes its place (`'approve'` and nothing let it run). */
  beforeTool?(call: ToolCallPart, run: Run): MaybePromise<Decision | undefined | void>
  /** After each result; may give another. */
  afterTool?(
    result: ToolResultPart,
    call: ToolCallPart,
    run: Run,
  ): MaybePromise<ToolResultPart | undefined | void>
  /** A message is known. An answer with calls is told before its tools run, its results before the next step. */
  onMessage?(message: Message, run: Run): MaybePromise<void>
  /** A step is complete; the next one begins only afterwards. */
  onStep?(step: StepResult, run: Run): MaybePromise<void>
  /** The run has ended, whatever the reason; not called where it ends with an error. */
  onEnd?(result: AgentResult, run: Run): MaybePromise<void>
}

/** Several hooks as one, in their order; what one gives goes to the next. */
export function joinHooks(...all: readonly (AgentHooks | undefined)[]): Required<AgentHooks> {
  const hooks = all.filter((each) => each !== undefined)
  return {
    async beforeModel(request, run) {
      let current = request
      for (const each of hooks) current = (await each.beforeModel?.(current, run)) ?? current
      return current
    },
    async afterModel(answer, run) {
      for (const each of hooks) await each.afterModel?.(answer, run)
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
