import type { Model, Reply } from '../canonical/model/model-interface.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { FinishReason, AssistantMessage } from '../canonical/model/message.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { isEmptyContent } from '../canonical/read/content-checks.ts'
import { accumulate } from '../canonical/stream/accumulate.ts'
import { freezeOwned } from '../wire/frozen-json.ts'
import { rejectOnAbort, iterateUntilAborted } from '../wire/cancellation.ts'
import type { ModelReply } from './orchestrators/orchestrator.ts'

/** Parameters of {@link callModel}. */
export interface CallModelParameters {
  readonly model: Model
  readonly request: ChatRequest
  readonly signal: AbortSignal
  readonly promptCaching: boolean
  /** Called with each event; if absent, the response is not streamed. */
  readonly onEvent?: (event: ChatEvent) => void
  /** Called with the received part of a response that was interrupted. */
  readonly onPartial: (partial: Partial<ModelReply>) => void
}

/** Calls a model, and rejects as soon as the signal is aborted, even if the model ignores the signal. */
export async function callModel(call: CallModelParameters): Promise<ModelReply> {
  const { model, request, signal, promptCaching, onEvent, onPartial } = call
  const callOptions = { signal, promptCaching }
  if (onEvent === undefined)
    return toModelReply(await rejectOnAbort(model.generate(request, callOptions), signal))
  const receivedEvents: ChatEvent[] = []
  try {
    const stream = model.stream(request, callOptions)
    for await (const event of iterateUntilAborted(stream, signal)) {
      receivedEvents.push(event)
      onEvent(event)
    }
    return toModelReply(await rejectOnAbort(stream.reply, signal))
  } catch (error) {
    onPartial(await recoverPartialReply(receivedEvents, signal.aborted ? 'aborted' : 'error'))
    throw error
  }
}

function toModelReply({ message, usage = message.usage, cost, losses }: Reply): ModelReply {
  return { message: withUsage(message, usage), losses, ...(usage && { usage }), ...(cost && { cost }) }
}

/** Copies the usage of the response to the message, since the message is stored and the response is not. */
function withUsage(message: AssistantMessage, usage: Usage | undefined): AssistantMessage {
  return usage === undefined || message.usage !== undefined ? message : freezeOwned({ ...message, usage })
}

/** Returns the part of an interrupted response that is useful; incomplete tool calls are omitted. */
async function recoverPartialReply(
  receivedEvents: readonly ChatEvent[],
  reason: FinishReason,
): Promise<Partial<ModelReply>> {
  const incompleteParts = new Set<number>()
  for (const event of receivedEvents) {
    if (event.type === 'part-start' && !TEXT_PART_TYPES.has(event.part.type)) incompleteParts.add(event.index)
    if (event.type === 'part-end') incompleteParts.delete(event.index)
  }
  const events = receivedEvents.filter(
    (event) =>
      event.type !== 'error' &&
      (event.candidate ?? 0) === 0 &&
      !('index' in event && incompleteParts.has(event.index)),
  )
  const { candidates, usage } = await accumulate(events)
  const [message] = candidates
  const hasContent = message !== undefined && !isEmptyContent(message.content)
  return {
    ...(hasContent && { message: freezeOwned({ ...withUsage(message, usage), finish: { reason } }) }),
    ...(usage && { usage }),
  }
}

/** Parts that are useful even when incomplete. */
const TEXT_PART_TYPES: ReadonlySet<string> = new Set(['text', 'refusal', 'reasoning'])
