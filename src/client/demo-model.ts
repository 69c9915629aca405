import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import type { AssistantPart } from '../canonical/model/part.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { checkOptions } from '../wire/check-options.ts'
import { omitUndefined } from '../wire/json.ts'
import { throwIfAborted } from '../wire/cancellation.ts'
import { toChatRequest } from './check-call-input.ts'
import { composeDemoAnswer } from './demo/compose-answer.ts'
import type {
  CallOptions,
  Model,
  ModelInput,
  Reply,
  ReplyStream,
} from '../canonical/model/model-interface.ts'
import { createReply, startCallTimer, recordFirstEventTime } from './reply.ts'
import { createReplyStream, forwardAndAccumulate } from './reply-stream.ts'
import { forwardFailuresAsEvents, playScriptedTurn, createScriptedResponse } from './script/scripted-turn.ts'

/** The name of the demo model where models are named as `provider:model`. */
export const DEMO_MODEL_NAME = 'demo'

/** Options of {@link demo}. */
export interface DemoOptions extends IdentityOptions {
  /** The delay before each event of a stream. Default: 0. */
  readonly eventDelayMs?: number
}

/**
 * Returns a small model that runs offline, for first steps and examples. It streams, shows reasoning, calls
 * the tools that match the prompt, reports their results, and conforms to an output schema. It is
 * deterministic and has no knowledge of its own.
 *
 * @example
 * const { text } = await demo().generate('Hello!')
 */
export function demo(options: DemoOptions = {}): Model {
  checkOptions('`demo`', options, { eventDelayMs: true, newId: Function, now: Function })
  const { eventDelayMs, ...identity } = options
  const scriptedIdentity = { ...identity, name: DEMO_MODEL_NAME, provider: 'demo' }

  function respond(input: ModelInput, call: CallOptions): Reply['response'] {
    const request = toChatRequest(input, call)
    throwIfAborted(call.signal)
    const parts = composeDemoAnswer(request)
    return createScriptedResponse(parts, { usage: estimateUsage(request, parts) }, scriptedIdentity)
  }

  async function generate(input: ModelInput, call: CallOptions = {}): Promise<Reply> {
    const timer = startCallTimer(options.now)
    return createReply(respond(input, call), { losses: [], timing: timer.getTiming() })
  }

  function stream(input: ModelInput, call: CallOptions = {}): ReplyStream {
    return createReplyStream(async function* (signal) {
      const timer = startCallTimer(options.now)
      const turn = { content: respond(input, { ...call, signal }), ...omitUndefined({ eventDelayMs }) }
      const events = forwardFailuresAsEvents(playScriptedTurn(turn, signal), signal)
      const { response, losses } = yield* forwardAndAccumulate(recordFirstEventTime(events, timer))
      return createReply(response, { losses, timing: timer.getTiming() })
    }, call.signal)
  }

  return { name: DEMO_MODEL_NAME, provider: 'demo', capabilities: {}, generate, stream }
}

/** Estimates the usage with four characters of JSON per token. */
function estimateUsage({ messages, tools = [] }: ChatRequest, parts: readonly AssistantPart[]): Usage {
  const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4)
  const inputTokens = tokens([...messages].map(({ content }) => content)) + tokens(tools)
  const outputTokens = tokens(parts)
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
}
