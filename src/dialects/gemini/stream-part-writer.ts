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
  readonly whole: PartAccumulator
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
      const growing = { part, whole: new PartAccumulator(part), text: '', isSigned: false }
      this.#parts.set(key, growing)
      return isTextual(part) && part.text !== '' ? this.#writeText(growing, part.text) : []
    }
    const growing = this.#parts.get(key)
    if (growing === undefined) return []
    if (event.type === 'part-end') {
      growing.whole.end(event)
      return isTextual(growing.part)
        ? writeSignature(growing)
        : this.#writeWhole(growing, createPartPath({ candidate, index: event.index }))
    }
    if (event.type === 'part-update') {
      growing.whole.update(event)
      if (event.signature !== undefined) growing.signature = event.signature
    } else if (event.type === 'arguments-delta') growing.whole.append(event.json)
    else if (event.type === 'media-delta') growing.whole.append(event.data)
    else return this.#writeText(growing, event.text)
    return []
  }

  /** Writes a piece of text, with the signature if the piece is the complete signed text. */
  #writeText(growing: PartState, text: string): readonly JsonObject[] {
    const { part } = growing
    // Only the first piece can be the complete text.
    growing.isSigned ||= growing.text === '' && isTextual(part) && hasValidSignature({ ...part, text })
    growing.text += text
    const made: Record<string, Json> = { text }
    if (part.type === 'reasoning') made['thought'] = true
    if (growing.isSigned) made['thoughtSignature'] = part.signature?.value ?? ''
    return [made]
  }

  #writeWhole({ whole }: PartState, path: Path): readonly JsonObject[] {
    const made = encodePart(whole.build(), {
      path,
      context: this.#context,
      location: 'response',
      isFirstCall: true,
    })
    return made === undefined ? [] : [made]
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
function writeSignature(growing: PartState): readonly JsonObject[] {
  const { part, text, signature, isSigned } = growing
  if (isSigned) return []
  const said = { ...part, text } as AssistantPart
  const whole = signature === undefined ? said : attachSignature(said, signature)
  return hasValidSignature(whole) ? [{ text: '', thoughtSignature: whole.signature?.value ?? '' }] : []
}
