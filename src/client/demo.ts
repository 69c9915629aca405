import type { IdentityOptions } from '../canonical/build/identity.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { AssistantPart } from '../canonical/model/part.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { throwIfAborted } from '../wire/abort.ts'
import { checkedRequest } from './checked.ts'
import { answerTo } from './demo/answer.ts'
import type { CallOptions, Model, Reply, ReplyStream } from './model.ts'
import { replyOf, startTimer, timed } from './reply.ts'
import { streamOf, telling } from './reply-stream.ts'
import { directly, play as playTurn } from './script/play.ts'
import { responseOf } from './script/turn.ts'

/** How the demo model speaks. */
export interface DemoOptions extends IdentityOptions {
  /** Milliseconds before each event of a stream, to see it come. Default: 0. */
  readonly pace?: number
}

/**
 * A small model that runs offline, for the first minute and for examples: it streams, thinks aloud, calls the tools whose
 * words are in the prompt, tells what they gave, and keeps to an output schema. The same conversation gets the same answer.
 * It knows nothing of the world.
 *
 * @example
 * const { text } = await demo().generate({ messages: [user('Hello!')] })
 */
export function demo(options: DemoOptions = {}): Model {
  const { pace, ...identity } = options
  const speaker = { ...identity, name: 'demo', provider: 'demo' }

  function answer(request: ChatRequest): Reply['response'] {
    const parts = answerTo(checkedRequest(request))
    return responseOf(parts, { usage: countOf(request, parts) }, speaker)
  }

  async function generate(request: ChatRequest, { signal }: CallOptions = {}): Promise<Reply> {
    throwIfAborted(signal)
    const timer = startTimer(options.now)
    return replyOf(answer(request), { losses: [], timing: timer.timing() })
  }

  async function* play(request: ChatRequest, { signal }: CallOptions): AsyncGenerator<ChatEvent, Reply> {
    throwIfAborted(signal)
    const timer = startTimer(options.now)
    const turn = { answer: answer(request), ...(pace !== undefined && { pace }) }
    const { response, losses } = yield* telling(timed(directly(playTurn(turn, signal), signal), timer))
    return replyOf(response, { losses, timing: timer.timing() })
  }

  const stream = (request: ChatRequest, call: CallOptions = {}): ReplyStream =>
    streamOf(() => play(request, call))

  return { name: 'demo', provider: 'demo', capabilities: {}, generate, stream }
}

/** Its own way to count: a token is four characters of what was said. */
function countOf({ messages, tools = [] }: ChatRequest, parts: readonly AssistantPart[]): Usage {
  const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4)
  const inputTokens = tokens([...messages].map(({ content }) => content)) + tokens(tools)
  const outputTokens = tokens(parts)
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
}
