import type { Part } from '../../canonical/model/part.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'

/** Reports what a part says beside its content, where the format has a field neither for signatures nor for cache markers. */
export function reportBare(
  { signature, cache }: Pick<Part, 'signature' | 'cache'>,
  at: Path | undefined,
  encoding: Encoding,
): void {
  if (signature !== undefined) encoding.lose('foreign-signature', below(at, 'signature'))
  if (cache !== undefined) encoding.lose('cache-hint', below(at, 'cache'))
}
