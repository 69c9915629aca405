import type { TextPart } from '../../canonical/model/part.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'

/** The words of a text part, with what cannot go along reported. */
export function encodeText(part: TextPart, at: Path | undefined, encoding: Encoding): string {
  if (part.citations !== undefined && part.citations.length > 0)
    encoding.lose('citations-dropped', below(at, 'citations'))
  if (part.signature !== undefined) encoding.lose('foreign-signature', below(at, 'signature'))
  return part.text
}
