import type { TextPart } from '../../canonical/model/part.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, getHints, withResidue } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { DIALECT_SLOT } from './constants.ts'

/** Returns the text block of a text. */
export function createTextBlock(text: string): JsonObject {
  return { type: 'text', text }
}

/** Returns true for a text block. */
export function isCohereTextBlock(wire: Json | undefined): wire is JsonObject & { readonly text: string } {
  return isObject(wire) && wire['type'] === 'text' && typeof wire['text'] === 'string'
}

/** Decodes a text block. */
export function decodeTextBlock(wire: JsonObject & { readonly text: string }): TextPart {
  const part: TextPart = { type: 'text', text: wire.text }
  return withResidue(part, DIALECT_SLOT, createTextBlock(wire.text), wire, {
    ...(wire.text === '' && { emptyText: true }),
  })
}

/** Encodes a text as a block; undefined for an empty text that was not received. */
export function encodeTextBlock(
  part: TextPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  reportUnsupportedFields(part, path, context)
  if (part.text === '' && getHints(part, DIALECT_SLOT).emptyText !== true) {
    context.report('empty-text', path)
    return undefined
  }
  return applyResidue(createTextBlock(part.text), part, DIALECT_SLOT)
}

/** Encodes a text outside of answers, whose citations are omitted. */
export function encodeUncitedText(
  part: TextPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const citationsPath = child(path, 'citations')
  for (const index of (part.citations ?? []).keys())
    context.report('citations-dropped', child(citationsPath, index))
  return encodeTextBlock(part, path, context)
}

/** Returns the text of blocks that can be written as a string: a single text without other fields. */
export function getPlainText(blocks: readonly JsonObject[]): string | undefined {
  const [block, ...others] = blocks
  if (others.length > 0 || !isCohereTextBlock(block)) return undefined
  return Object.keys(block).length === 2 ? block.text : undefined
}
