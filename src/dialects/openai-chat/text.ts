import type { TextPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { asSpoken } from '../shared/restored.ts'
import { hintsFor } from '../unit.ts'
import { SLOT } from './codes.ts'

/** A text part; undefined where it is empty. The citations of a response stand elsewhere; a request has none. */
export function encodeText(
  part: TextPart,
  at: Path | undefined,
  encoding: Encoding,
  speaker: string,
): JsonObject | undefined {
  const cited = part.citations !== undefined && part.citations.length > 0
  if (part.text === '' && hintsFor(part, SLOT)['emptyText'] !== true) {
    encoding.lose('empty-text', at)
    return undefined
  }
  if (cited && speaker !== 'response') encoding.lose('citations-dropped', below(at, 'citations'))
  return { type: 'text', text: asSpoken(part, SLOT).text }
}
