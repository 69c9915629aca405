import type { ChatEvent } from '../../../canonical/model/event.ts'
import type { AssistantMessage } from '../../../canonical/model/message.ts'
import type { AssistantPart } from '../../../canonical/model/part.ts'

/** The parts of an answer that arrives, by their index. */
export interface Draft {
  readonly parts: readonly AssistantPart[]
  /** The model that answers, if it is known. */
  readonly model?: string
}

export const EMPTY_DRAFT: Draft = { parts: [] }

/** Adds an event to a draft. Complete messages replace drafts, so what a draft omits is not lost. */
export function addToDraft(draft: Draft, event: ChatEvent): Draft {
  switch (event.type) {
    case 'start':
      return { parts: [], ...(event.model !== undefined && { model: event.model }) }
    case 'part-start':
      return withPart(draft, event.index, event.part)
    case 'text-delta':
      return append(draft, event.index, { type: 'text', text: event.text })
    case 'refusal-delta':
      return append(draft, event.index, { type: 'refusal', text: event.text })
    case 'reasoning-delta':
      return append(draft, event.index, { type: 'reasoning', text: event.text })
    case 'arguments-delta':
      return appendArguments(draft, event.index, event.json)
    case 'part-end':
      return event.part === undefined || event.replaces !== true
        ? draft
        : withPart(draft, event.index, event.part)
    case 'media-delta':
    case 'part-update':
    case 'usage':
    case 'finish':
    case 'loss':
    case 'error':
    case 'opaque':
    case 'retry':
      return draft
  }
}

/** Returns a draft as a message, to show it. */
export function toDraftMessage({ parts, model }: Draft): AssistantMessage {
  const origin = model === undefined ? {} : { origin: { dialect: '', model } }
  return { id: 'draft', role: 'assistant', content: parts.filter((part) => part !== undefined), ...origin }
}

function withPart(draft: Draft, index: number, part: AssistantPart): Draft {
  const parts = [...draft.parts]
  parts[index] = part
  return { ...draft, parts }
}

type GrowingPart = AssistantPart & { readonly type: 'text' | 'refusal' | 'reasoning' }

function append(draft: Draft, index: number, piece: GrowingPart): Draft {
  const part = draft.parts[index]
  if (part?.type !== piece.type) return withPart(draft, index, piece)
  return withPart(draft, index, { ...part, text: part.text + piece.text })
}

/** The text of the arguments so far is shown as it is: it is no valid JSON yet. */
function appendArguments(draft: Draft, index: number, json: string): Draft {
  const part = draft.parts[index]
  if (part?.type !== 'tool-call') return draft
  const { arguments: _arguments, rawArguments: _raw, invalidArguments = '', ...rest } = part
  return withPart(draft, index, { ...rest, invalidArguments: invalidArguments + json })
}
