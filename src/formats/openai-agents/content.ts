import type { Part, RefusalPart, TextPart, MediaPart, OpaquePart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { addHints, applyResidue, attachResidue } from '../../dialects/engine/residue-slots.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { writeOpaquePart } from '../engine/omitted-fields.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import { requireObject, requireText } from '../engine/require-fields.ts'
import { AGENTS_SLOT, NAME } from './constants.ts'
import { readMedia, writeInputMedia, writeOutputMedia } from './media.ts'

/** Where content is: the types of texts and of media differ. */
export type ContentPlace = 'user' | 'assistant' | 'result'

type ContentPart = TextPart | RefusalPart | MediaPart | OpaquePart

const TEXT_TYPES = { user: 'input_text', assistant: 'output_text', result: 'input_text' } as const

/** The types of media by place: an answer has other types than a question. */
const MEDIA_TYPES: { readonly [place in ContentPlace]: readonly Json[] } = {
  user: ['input_image', 'input_file', 'audio'],
  assistant: ['image', 'audio'],
  result: ['input_image', 'input_file'],
}

/** Reads content: a text, or a list. */
export function readContent(
  content: Json | undefined,
  place: ContentPlace,
  path: Path,
): readonly ContentPart[] {
  if (typeof content === 'string')
    return content === '' ? [] : [checkAndFreezePart<TextPart>({ type: 'text', text: content }, path)]
  if (Array.isArray(content))
    return content.map((part: Json, index) => readPart(part, place, child(path, index)))
  return throwWrongType(content, path, 'a text or a list')
}

function readPart(wire: Json, place: ContentPlace, path: Path): ContentPart {
  const block = requireObject(wire, path, 'content')
  const { type } = block
  if (type === TEXT_TYPES[place]) {
    const part = checkAndFreezePart<TextPart>({ type: 'text', text: requireText(block, 'text', path) }, path)
    return keepResidue(part, {}, block, place)
  }
  if (place === 'assistant' && type === 'refusal') {
    const text = requireText(block, 'refusal', path)
    return keepResidue(checkAndFreezePart<RefusalPart>({ type, text }, path), {}, block, place)
  }
  const found = MEDIA_TYPES[place].includes(type ?? null) ? readMedia(block, path) : undefined
  if (found === undefined) {
    const part = keepPart(NAME, wire, path)
    // An unknown item of an answer is an opaque part, too.
    return place === 'assistant' ? freezeOwned(addHints(part, AGENTS_SLOT, { parts: true })) : part
  }
  const hints = found.isRaw ? { rawData: true } : {}
  return keepResidue(checkAndFreezePart(found.media, path), hints, block, place)
}

function keepResidue<T extends ContentPart>(
  part: T,
  hints: { readonly rawData?: boolean },
  block: JsonObject,
  place: ContentPlace,
): T {
  return attachResidue(part, AGENTS_SLOT, hints, block, (unit) =>
    writePart(unit, place, undefined, silentReporter),
  )
}

/** Writes a part of content; undefined for a part that is an item of its own, or that has no content in this place. */
export function writePart(
  part: Part,
  place: ContentPlace,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject | undefined {
  if (part.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  switch (part.type) {
    case 'text':
      return applyResidue({ type: TEXT_TYPES[place], text: part.text }, part, AGENTS_SLOT)
    case 'refusal':
      return applyResidue({ type: 'refusal', refusal: part.text }, part, AGENTS_SLOT)
    case 'json':
      report.add('json-as-text', path)
      return { type: TEXT_TYPES[place], text: JSON.stringify(part.value) }
    case 'opaque':
      return writeOpaquePart(part, NAME, path, report)
    case 'image':
    case 'audio':
    case 'video':
    case 'file': {
      const block =
        place === 'assistant'
          ? writeOutputMedia(part, path, report)
          : writeInputMedia(part, place === 'user', path, report)
      return block && applyResidue(block, part, AGENTS_SLOT)
    }
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      return undefined
  }
}

/** Writes content: one text as it is, and anything else as a list. */
export function writeContent(
  parts: readonly Part[],
  place: ContentPlace,
  isList: boolean,
  path: Path | undefined,
  report: FormatReporter,
): Json {
  const blocks = parts.flatMap((part, index): readonly JsonObject[] => {
    const block = writePart(part, place, child(child(path, 'content'), index), report)
    return block === undefined ? [] : [block]
  })
  if (isList) return blocks
  const [only] = blocks
  if (only === undefined) return ''
  const isText = blocks.length === 1 && only['type'] === TEXT_TYPES[place] && Object.keys(only).length === 2
  return isText && only['text'] !== '' ? (only['text'] as Json) : blocks
}
