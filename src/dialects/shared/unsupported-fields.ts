import type { Part } from '../../canonical/model/part.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** Reports what a part says beside its content, where the format has a field neither for signatures nor for cache markers. */
export function reportUnsupportedFields(
  { signature, cache }: Pick<Part, 'signature' | 'cache'>,
  path: Path | undefined,
  context: EncodeContext,
): void {
  if (signature !== undefined) context.report('foreign-signature', child(path, 'signature'))
  if (cache !== undefined) context.report('cache-hint', child(path, 'cache'))
}
