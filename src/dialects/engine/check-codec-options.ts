import { ON_LOSS_CHOICES } from '../../canonical/losses/create-loss.ts'
import { checkOptions, type OptionNames } from '../../wire/check-options.ts'
import type { DecodeOptions, EncodeOptions } from './dialect.ts'
import { checkFlavor } from './flavor-registry.ts'
import { FOREIGN_REASONING_ACTIONS, POLICY_NAMES } from './unsupported-policy.ts'

/** A translation passes the options of both directions to both of its dialects. */
const CODEC_OPTION_NAMES: OptionNames<DecodeOptions & EncodeOptions> = {
  newId: Function,
  now: Function,
  request: true,
  flavor: true,
  path: true,
  limits: true,
  signal: true,
  exact: Boolean,
  model: true,
  capabilities: true,
  apiVersion: true,
  onLoss: ON_LOSS_CHOICES,
  foreignReasoning: FOREIGN_REASONING_ACTIONS,
  reasoningSignature: true,
  unsupported: POLICY_NAMES,
  promptCaching: Boolean,
}

/** Throws for an option that no dialect has, and for a value or a flavor that no dialect knows: each would be ignored. */
export function checkCodecOptions(options: DecodeOptions & EncodeOptions): void {
  checkFlavor(options.flavor)
  for (const name in options)
    if (!Object.hasOwn(CODEC_OPTION_NAMES, name) || hasValueCheck(name)) {
      checkOptions('the translation', options, CODEC_OPTION_NAMES)
      return
    }
}

/** Each call of a dialect checks its options: most have a value of any kind, and need no other check than that of their name. */
function hasValueCheck(name: string): boolean {
  return CODEC_OPTION_NAMES[name as keyof typeof CODEC_OPTION_NAMES] !== true
}
