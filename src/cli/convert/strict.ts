import type { Loss } from '../../canonical/model/loss.ts'
import { InterlinguaError } from '../../errors.ts'

/** Refuses the first loss of meaning where `--strict` forbids it; notes are always allowed. */
export function refuseLosses(losses: readonly Loss[], { strict }: { readonly strict?: boolean }): void {
  const refused = strict === true ? losses.find(({ severity }) => severity === 'loss') : undefined
  if (refused === undefined) return
  throw new InterlinguaError('loss-refused', `${refused.rule} at ${refused.path}: ${refused.reason}`, {
    path: refused.path,
    found: refused.rule,
    hint: 'Leave --strict out to allow it.',
  })
}
