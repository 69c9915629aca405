import type { Part } from '../../canonical/model/part.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, hintsFor, withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'
import { inWords, mediaReaders, writeMedia } from './media.ts'
import { encodeText } from './text.ts'

type Wire = { readonly [key: string]: Json }
type Speaker = 'user' | 'assistant' | 'system'

/** Reads the parts of a message's content; a part that we do not model is kept as it is. */
export function decodeParts(wire: readonly Json[], speaker: Speaker): readonly Part[] {
  return wire.map((part) => decodePart(part, speaker))
}

function decodePart(wire: Json, speaker: Speaker): Part {
  const opaque: Part = { type: 'opaque', dialect: SLOT, value: wire }
  const read = isObject(wire) ? readPart(wire, speaker) : undefined
  if (read === undefined) return sealedCopy(opaque)
  const made = encodePart(read, undefined, silent, speaker)
  const understood = made !== undefined && made['type'] === (wire as Wire)['type']
  return sealedCopy(understood ? withResidue(read, SLOT, made, wire, hintsFor(read, SLOT)) : opaque)
}

function readPart(wire: Wire, speaker: Speaker): Part | undefined {
  const { type, text, refusal } = wire
  if (type === 'text' && typeof text === 'string') {
    return { type: 'text', text, ...(text === '' && { extra: { [SLOT]: { $: { hints: { keep: true } } } } }) }
  }
  if (type === 'refusal' && speaker === 'assistant' && typeof refusal === 'string') {
    return { type: 'refusal', text: refusal, extra: { [SLOT]: { $: { hints: { part: true } } } } }
  }
  return speaker === 'user' && typeof type === 'string' && Object.hasOwn(mediaReaders, type)
    ? mediaReaders[type]?.(wire)
    : undefined
}

/** Writes parts, without those that leave nothing to send. */
export function encodeParts(
  parts: readonly { readonly part: Part; readonly at: Path }[],
  encoding: Encoding,
  speaker: Speaker,
): JsonObject[] {
  return parts
    .map(({ part, at }) => encodePart(part, at, encoding, speaker))
    .filter((part) => part !== undefined)
}

function encodePart(
  part: Part,
  at: Path | undefined,
  encoding: Encoding,
  speaker: Speaker,
): JsonObject | undefined {
  if (part.cache !== undefined) encoding.lose('cache-hint', below(at, 'cache'))
  const made = writePart(part, at, encoding, speaker)
  return made === undefined || part.type === 'opaque' ? made : applyResidue(made, part, SLOT)
}

function writePart(
  part: Part,
  at: Path | undefined,
  encoding: Encoding,
  speaker: Speaker,
): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      if (part.text === '' && hintsFor(part, SLOT)['keep'] !== true) return undefined
      return { type: 'text', text: encodeText(part, at, encoding) }
    case 'refusal':
      return { type: 'refusal', refusal: part.text }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return speaker === 'user' ? writeMedia(part, at, encoding) : inWords(part, at, encoding)
    case 'opaque':
      if (part.dialect === SLOT && isObject(part.value)) return part.value
      encoding.lose('foreign-opaque', at)
      return undefined
    case 'json':
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      return undefined // these have places of their own
  }
}

/** True for a part that a string can stand for. */
export function onlyText(part: JsonObject | undefined): boolean {
  return part !== undefined && part['type'] === 'text' && Object.keys(part).length === 2
}
