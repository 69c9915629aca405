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
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createPartPath } from '../engine/parts-being-written.ts'
import { getHints } from '../engine/residue-slots.ts'
import { GROUNDING_SLOT } from './constants.ts'
import { isSupportedCitation, type CitationToEncode } from './citations.ts'
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

  /** Returns the wire part of an event, if it has one. */
  write(event: ChatEvent, candidate: number): JsonObject | undefined {
    if (!('index' in event)) return undefined
    const { index } = event
    const key = `${candidate} ${index}`
    if (event.type === 'part-start') {
      const { part } = event
      const state = { part, content: new PartAccumulator(part), text: '', isSigned: false }
      this.#parts.set(key, state)
      return hasStreamableText(part) && part.text !== '' ? writeText(state, part.text) : undefined
    }
    const state = this.#parts.get(key)
    if (state === undefined) return undefined
    if (event.type === 'part-end') {
      state.content.end(event)
      if (hasStreamableText(state.part)) return writeSignature(state)
      const path = createPartPath({ candidate, index })
      const partContext = { path, context: this.#context, location: 'response', isFirstCall: true } as const
      return encodePart(state.content.build(), partContext)
    }
    if (event.type === 'part-update') {
      state.content.update(event)
      if (event.signature !== undefined) state.signature = event.signature
    } else if (event.type === 'arguments-delta') state.content.append(event.json)
    else if (event.type === 'media-delta') state.content.append(event.data)
    else return writeText(state, event.text)
    return undefined
  }

  /** Returns the sources that an update cites, with the text that was written. */
  listSources({ index, citations = [] }: PartUpdateEvent, candidate: number): readonly CitationToEncode[] {
    const text = this.#parts.get(`${candidate} ${index}`)?.text ?? ''
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
function hasStreamableText(part: AssistantPart): part is TextPart | ReasoningPart | RefusalPart {
  return part.type === 'text' || part.type === 'reasoning' || part.type === 'refusal'
}

/** Writes a piece of text, with the signature if the piece is the complete signed text. */
function writeText(state: PartState, text: string): JsonObject {
  const { part } = state
  // Only the first piece can be the complete text.
  state.isSigned ||= state.text === '' && hasStreamableText(part) && hasValidSignature({ ...part, text })
  state.text += text
  const wire: Record<string, Json> = { text }
  if (part.type === 'reasoning') wire['thought'] = true
  if (state.isSigned) wire['thoughtSignature'] = part.signature?.value ?? ''
  return wire
}

/** Returns an empty text with the signature, unless a piece of text was written with it. */
function writeSignature({ part, text, signature, isSigned }: PartState): JsonObject | undefined {
  if (isSigned) return undefined
  const written = { ...part, text } as AssistantPart
  const signed = signature === undefined ? written : attachSignature(written, signature)
  return hasValidSignature(signed) ? { text: '', thoughtSignature: signed.signature?.value ?? '' } : undefined
}
