import type { ChatEvent, PartUpdateEvent } from '../../canonical/model/event.ts'
import type {
  AssistantPart,
  ReasoningPart,
  RefusalPart,
  TextPart,
  Signature,
} from '../../canonical/model/part.ts'
import { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { attachSignature } from '../../canonical/build/parts.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createPartPath } from '../engine/parts-being-written.ts'
import { getHints } from '../engine/residue-slots.ts'
import { GROUNDING_SLOT } from './constants.ts'
import { isSupportedCitation, type CitationSource } from './citations.ts'
import { encodePart } from './parts.ts'
import { hasValidSignature } from './reasoning.ts'

/** A part that is being written. */
interface PartState {
  readonly part: AssistantPart
  readonly content: PartAccumulator
  text: string
  signature?: Omit<Signature, 'contentDigest'>
  isSigned: boolean
}

/** Writes the parts of a stream: text piece by piece, other parts when they are complete. */
export class StreamPartWriter {
  readonly #context: EncodeContext
  readonly #parts = new Map<string, PartState>()

  constructor(context: EncodeContext) {
    this.#context = context
  }

  /** Returns the text that was written so far. */
  #getText(candidate: number, index: number): string {
    return this.#parts.get(`${candidate} ${index}`)?.text ?? ''
  }

  /** Returns the wire parts of an event. */
  write(event: ChatEvent, candidate: number): readonly JsonObject[] {
    if (!('index' in event)) return []
    const key = `${candidate} ${event.index}`
    if (event.type === 'part-start') {
      const { part } = event
      const state = { part, content: new PartAccumulator(part), text: '', isSigned: false }
      this.#parts.set(key, state)
      return isTextual(part) && part.text !== '' ? this.#writeText(state, part.text) : []
    }
    const state = this.#parts.get(key)
    if (state === undefined) return []
    if (event.type === 'part-end') {
      state.content.end(event)
      return isTextual(state.part)
        ? writeSignature(state)
        : this.#writeCompletePart(state, createPartPath({ candidate, index: event.index }))
    }
    if (event.type === 'part-update') {
      state.content.update(event)
      if (event.signature !== undefined) state.signature = event.signature
    } else if (event.type === 'arguments-delta') state.content.append(event.json)
    else if (event.type === 'media-delta') state.content.append(event.data)
    else return this.#writeText(state, event.text)
    return []
  }

  /** Writes a piece of text, with the signature if the piece is the complete signed text. */
  #writeText(state: PartState, text: string): readonly JsonObject[] {
    const { part } = state
    // Only the first piece can be the complete text.
    state.isSigned ||= state.text === '' && isTextual(part) && hasValidSignature({ ...part, text })
    state.text += text
    const wire: Record<string, Json> = { text }
    if (part.type === 'reasoning') wire['thought'] = true
    if (state.isSigned) wire['thoughtSignature'] = part.signature?.value ?? ''
    return [wire]
  }

  #writeCompletePart({ content }: PartState, path: Path): readonly JsonObject[] {
    const wire = encodePart(content.build(), {
      path,
      context: this.#context,
      location: 'response',
      isFirstCall: true,
    })
    return wire === undefined ? [] : [wire]
  }

  /** Returns the sources that an update cites, with the text that was written. */
  listSources(event: PartUpdateEvent, candidate: number): readonly CitationSource[] {
    const { index, citations = [] } = event
    const text = this.#getText(candidate, index)
    return citations.flatMap((citation, number) => {
      const path = child(child(createPartPath({ candidate, index }), 'citations'), number)
      if (!isSupportedCitation(citation, text, path, this.#context)) return []
      const { chunkCount, supportCount } = getHints(citation, GROUNDING_SLOT)
      const sizes =
        chunkCount === undefined || supportCount === undefined ? {} : { sizes: { chunkCount, supportCount } }
      return [{ index, text, citation, path, ...sizes }]
    })
  }
}

/** Returns whether a part has a text that can be written piece by piece. */
export function isTextual(part: AssistantPart): part is TextPart | ReasoningPart | RefusalPart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return true
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'tool-call':
    case 'tool-result':
    case 'opaque':
      return false
  }
}

/**
 * Returns an empty text with the signature of a text that was written in several pieces or before its
 * signature arrived.
 */
function writeSignature(state: PartState): readonly JsonObject[] {
  const { part, text, signature, isSigned } = state
  if (isSigned) return []
  const written = { ...part, text } as AssistantPart
  const signed = signature === undefined ? written : attachSignature(written, signature)
  return hasValidSignature(signed) ? [{ text: '', thoughtSignature: signed.signature?.value ?? '' }] : []
}
