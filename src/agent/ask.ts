import type { Model, Reply } from '../client/model.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { FinishReason } from '../canonical/model/finish.ts'
import type { AssistantMessage } from '../canonical/model/message.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { isEmptyContent } from '../canonical/read/state.ts'
import { accumulate } from '../canonical/stream/accumulate.ts'
import { sealOwn } from '../wire/frozen.ts'
import { abortable, abortableValues } from '../wire/abort.ts'
import type { Answer } from './orchestrators/orchestrator.ts'

/** A question to a model. */
export interface Question {
  readonly model: Model
  readonly request: ChatRequest
  readonly signal: AbortSignal
  /** Told each event; without it the answer is not streamed. */
  readonly onEvent?: (event: ChatEvent) => void
  /** Told what came of an answer that broke off. */
  readonly onPartial: (partial: Partial<Answer>) => void
}

/** Asks a model, and gives up as soon as the signal says so, whether the model listens to it or not. */
export async function ask({ model, request, signal, onEvent, onPartial }: Question): Promise<Answer> {
  if (onEvent === undefined) return answerOf(await abortable(model.generate(request, { signal }), signal))
  const told: ChatEvent[] = []
  try {
    const stream = model.stream(request, { signal })
    for await (const event of abortableValues(stream, signal)) {
      told.push(event)
      onEvent(event)
    }
    return answerOf(await abortable(stream.reply, signal))
  } catch (error) {
    onPartial(await salvage(told, signal.aborted ? 'aborted' : 'error'))
    throw error
  }
}

function answerOf({ message, usage = message.usage, cost, losses }: Reply): Answer {
  return { message: counted(message, usage), losses, ...(usage && { usage }), ...(cost && { cost }) }
}

/** An answer outlives the response that told its tokens, so it carries them from here on. */
function counted(message: AssistantMessage, usage: Usage | undefined): AssistantMessage {
  return usage === undefined || message.usage !== undefined ? message : sealOwn({ ...message, usage })
}

/** What came of an answer before it broke off: the user saw it, so it stays. Parts that are useless in pieces go. */
async function salvage(told: readonly ChatEvent[], reason: FinishReason): Promise<Partial<Answer>> {
  const broken = new Set<number>()
  for (const event of told) {
    if (event.type === 'part-start' && !READABLE.has(event.part.type)) broken.add(event.index)
    if (event.type === 'part-end') broken.delete(event.index)
  }
  const events = told.filter(
    (event) =>
      event.type !== 'error' &&
      (event.candidate ?? 0) === 0 &&
      !('index' in event && broken.has(event.index)),
  )
  const { candidates, usage } = await accumulate(events)
  const [message] = candidates
  const said = message !== undefined && !isEmptyContent(message.content)
  return {
    ...(said && { message: sealOwn({ ...counted(message, usage), finish: { reason } }) }),
    ...(usage && { usage }),
  }
}

/** Text can be read as far as it came. */
const READABLE: ReadonlySet<string> = new Set(['text', 'refusal', 'reasoning'])
