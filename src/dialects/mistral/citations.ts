import type { Citation } from '../../canonical/model/citation.ts'
import type { TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { DIALECT_SLOT } from './constants.ts'

/** Returns true for a chunk with the ids of the sources of the text before it. */
export function isReference(wire: Json | undefined): wire is JsonObject {
  return isObject(wire) && wire['type'] === 'reference'
}

/** Decodes reference chunks as citations: only the application knows the sources that the ids name. */
export function decodeReferences(chunks: readonly JsonObject[]): readonly Citation[] {
  return chunks.map((value) => freezeOwned<Citation>({ type: 'opaque', dialect: DIALECT_SLOT, value }))
}

/** Encodes the citations of a text as reference chunks. Citations of other formats have no ids. */
export function encodeReferences(
  { citations = [] }: TextPart,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const citationsPath = child(path, 'citations')
  return citations.flatMap((citation, index) => {
    const citationPath = child(citationsPath, index)
    if (citation.type === 'opaque') {
      const reference = encodeOpaque(citation, DIALECT_SLOT, citationPath, context)
      return reference === undefined ? [] : [reference]
    }
    context.report('citations-dropped', citationPath)
    return []
  })
}
