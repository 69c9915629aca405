import type { ChatEvent } from '../../../canonical/model/event.ts'
import type { AssistantMessage } from '../../../canonical/model/message.ts'
import type { AssistantPart } from '../../../canonical/model/part.ts'

/** The parts of an answer that arrives, by their index. */
export interface ArrivingAnswer {
  readonly parts: readonly AssistantPart[]
  /** The model that answers, if it is known. */
  readonly model?: string
}

export const EMPTY_ANSWER: ArrivingAnswer = { parts: [] }

/** Adds an event to an answer. The complete message replaces it, so what it omits is not lost. */
export function addAnswerEvent(answer: ArrivingAnswer, event: ChatEvent): ArrivingAnswer {
  switch (event.type) {
    case 'start':
      return { parts: [], ...(event.model !== undefined && { model: event.model }) }
    case 'part-start':
      return withPart(answer, event.index, event.part)
    case 'text-delta':
      return append(answer, event.index, { type: 'text', text: event.text })
    case 'refusal-delta':
      return append(answer, event.index, { type: 'refusal', text: event.text })
    case 'reasoning-delta':
      return append(answer, event.index, { type: 'reasoning', text: event.text })
    case 'arguments-delta':
      return appendArguments(answer, event.index, event.json)
    case 'part-end':
      return event.part === undefined || event.replaces !== true
        ? answer
        : withPart(answer, event.index, event.part)
    case 'media-delta':
    case 'part-update':
    case 'usage':
    case 'finish':
    case 'loss':
    case 'error':
    case 'opaque':
    case 'retry':
      return answer
  }
}

/** Returns an answer as a message, to show it. */
export function toAnswerMessage({ parts, model }: ArrivingAnswer): AssistantMessage {
  const origin = model === undefined ? {} : { origin: { dialect: '', model } }
  return { id: 'arriving', role: 'assistant', content: parts.filter((part) => part !== undefined), ...origin }
}

function withPart(answer: ArrivingAnswer, index: number, part: AssistantPart): ArrivingAnswer {
  const parts = [...answer.parts]
  parts[index] = part
  return { ...answer, parts }
}

type GrowingPart = AssistantPart & { readonly type: 'text' | 'refusal' | 'reasoning' }

function append(answer: ArrivingAnswer, index: number, piece: GrowingPart): ArrivingAnswer {
  const part = answer.parts[index]
  if (part?.type !== piece.type) return withPart(answer, index, piece)
  return withPart(answer, index, { ...part, text: part.text + piece.text })
}

/** The text of the arguments so far is shown as it is: it is no valid JSON yet. */
function appendArguments(answer: ArrivingAnswer, index: number, json: string): ArrivingAnswer {
  const part = answer.parts[index]
  if (part?.type !== 'tool-call') return answer
  const { arguments: _arguments, rawArguments: _raw, invalidArguments = '', ...rest } = part
  return withPart(answer, index, { ...rest, invalidArguments: invalidArguments + json })
}
