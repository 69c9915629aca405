import { checkOptions, type OptionNames } from '../../wire/check-options.ts'
import type { DecodeOptions, EncodeOptions } from './dialect.ts'

/** A translation passes the options of both directions to both of its dialects. */
const CODEC_OPTION_NAMES: OptionNames<DecodeOptions & EncodeOptions> = {
  newId: true,
  now: true,
  request: true,
  flavor: true,
  path: true,
  limits: true,
  signal: true,
  exact: true,
  model: true,
  capabilities: true,
  apiVersion: true,
  onLoss: true,
  foreignReasoning: true,
  reasoningSignature: true,
  unsupported: true,
  promptCaching: true,
}

/** Throws for an option that no dialect has: a misspelled `onLoss` would allow the losses that it was to refuse. */
export function checkCodecOptions(options: DecodeOptions & EncodeOptions): void {
  // Each call of a dialect checks its options: known names need no other check.
  for (const name in options)
    if (!Object.hasOwn(CODEC_OPTION_NAMES, name)) {
      checkOptions('the translation', options, CODEC_OPTION_NAMES)
      return
    }
}
