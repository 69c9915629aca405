import type { Loss } from '../../canonical/model/loss.ts'
import { InterlinguaError } from '../../errors.ts'

/** Throws for the first loss if `--strict` is given; notes are always allowed. */
export function refuseLosses(losses: readonly Loss[], { strict }: { readonly strict?: boolean }): void {
  const refused = strict === true ? losses.find(({ severity }) => severity === 'loss') : undefined
  if (refused === undefined) return
  throw new InterlinguaError(
    'loss-refused',
    `--strict refused the conversion to ${refused.dialect}: ${refused.reason.replace(/\.$/, '')}`,
    {
      path: refused.path,
      found: refused.rule,
      hint: `Omit --strict to allow the rule '${refused.rule}'.`,
    },
  )
}
