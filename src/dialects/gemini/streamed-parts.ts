import type { ChatEvent, PartUpdateEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ReasoningPart, RefusalPart, TextPart } from '../../canonical/model/part.ts'
import type { Signature } from '../../canonical/model/signature.ts'
import { OpenPart } from '../../canonical/stream/open-part.ts'
import { sign } from '../../canonical/build/parts.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { hintsFor } from '../unit.ts'
import { GROUNDING } from './codes.ts'
import { isSayable, type Source } from './citations.ts'
import { encodePart } from './parts.ts'
import { carries } from './signatures.ts'

/** A part that is being written: what opened it, and what was said so far. */
interface Growing {
  readonly part: AssistantPart
  readonly whole: OpenPart
  text: string
  signature?: Omit<Signature, 'contentDigest'>
  signed: boolean
}

/** Where a part of an answer stands with us. */
function partAt(candidate: number, index: number): Path {
  return below(below(below(below(undefined, 'candidates'), candidate), 'content'), index)
}

/** The parts of a stream as they are written: text piece by piece, everything else when it is whole. */
export class StreamedParts {
  readonly #encoding: Encoding
  readonly #parts = new Map<string, Growing>()

  constructor(encoding: Encoding) {
    this.#encoding = encoding
  }

  /** What was said of a text so far. */
  #textOf(candidate: number, index: number): string {
    return this.#parts.get(`${candidate} ${index}`)?.text ?? ''
  }

  /** The wire parts that an event says. */
  write(event: ChatEvent, candidate: number): readonly JsonObject[] {
    if (!('index' in event)) return []
    const key = `${candidate} ${event.index}`
    if (event.type === 'part-start') {
      const { part } = event
      const growing = { part, whole: new OpenPart(part), text: '', signed: false }
      this.#parts.set(key, growing)
      return isSpoken(part) && part.text !== '' ? this.#say(growing, part.text) : []
    }
    const growing = this.#parts.get(key)
    if (growing === undefined) return []
    if (event.type === 'part-end') {
      growing.whole.end(event)
      return isSpoken(growing.part) ? vouch(growing) : this.#finished(growing, partAt(candidate, event.index))
    }
    if (event.type === 'part-update') {
      growing.whole.update(event)
      if (event.signature !== undefined) growing.signature = event.signature
    } else if (event.type === 'arguments-delta') growing.whole.grow(event.json)
    else if (event.type === 'media-delta') growing.whole.grow(event.data)
    else return this.#say(growing, event.text)
    return []
  }

  /** A piece of text; one that says all that its signature vouches for takes it along. */
  #say(growing: Growing, text: string): readonly JsonObject[] {
    const { part } = growing
    // Only the first piece can be all of it.
    growing.signed ||= growing.text === '' && isSpoken(part) && carries({ ...part, text })
    growing.text += text
    const made: Record<string, Json> = { text }
    if (part.type === 'reasoning') made['thought'] = true
    if (growing.signed) made['thoughtSignature'] = part.signature?.value ?? ''
    return [made]
  }

  #finished({ whole }: Growing, at: Path): readonly JsonObject[] {
    const made = encodePart(whole.whole(), {
      at,
      encoding: this.#encoding,
      place: 'response',
      leads: true,
    })
    return made === undefined ? [] : [made]
  }

  /** What an update cites, in the words that were written. */
  sources(event: PartUpdateEvent, candidate: number): readonly Source[] {
    const { index, citations = [] } = event
    const text = this.#textOf(candidate, index)
    return citations.flatMap((citation, number) => {
      const at = below(below(partAt(candidate, index), 'citations'), number)
      if (!isSayable(citation, text, at, this.#encoding)) return []
      const { chunkCount, supportCount } = hintsFor(citation, GROUNDING)
      const sizes =
        chunkCount === undefined || supportCount === undefined ? {} : { sizes: { chunkCount, supportCount } }
      return [{ index, text, citation, at, ...sizes }]
    })
  }
}

/** Whether a part is told piece by piece. */
export function isSpoken(part: AssistantPart): part is TextPart | ReasoningPart | RefusalPart {
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

/** A signature that came apart from the words, or after many pieces, goes out on an empty text. */
function vouch(growing: Growing): readonly JsonObject[] {
  const { part, text, signature, signed } = growing
  if (signed) return []
  const said = { ...part, text } as AssistantPart
  const whole = signature === undefined ? said : sign(said, signature)
  return carries(whole) ? [{ text: '', thoughtSignature: whole.signature?.value ?? '' }] : []
}
