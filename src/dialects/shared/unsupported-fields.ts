import type { Part } from '../../canonical/model/part.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** Reports the signature and the cache marker of a part for a dialect that supports neither. */
export function reportUnsupportedFields(
  { signature, cache }: Pick<Part, 'signature' | 'cache'>,
  path: Path | undefined,
  context: EncodeContext,
): void {
  if (signature !== undefined) context.report('foreign-signature', child(path, 'signature'))
  if (cache !== undefined) context.report('cache-hint', child(path, 'cache'))
}
