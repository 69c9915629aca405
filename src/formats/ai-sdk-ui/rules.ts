import { loss, type LossRules, note } from '../../canonical/check/losses.ts'
import { uiLosses } from '../shared/rules.ts'

/** Everything that the UI message stream leaves out, moves, renames or makes up. */
export const losses: LossRules = {
  ...uiLosses,
  'foreign-opaque': loss('dropped', 'A block that nobody here knows goes out only with the option opaque'),
  'opaque-event': note('dropped', 'An event that nobody here knows goes out only with the option opaque'),
  'foreign-citation': loss('dropped', 'A citation that nobody here knows cannot be shown'),
  'message-metadata': note('dropped', 'This goes out only through the option messageMetadata'),
  'finish-approximated': note('downgraded', 'The nearest reason to stop is said'),
  'file-reference': loss('dropped', 'The file lies at a provider: there is no address to show'),
  'media-type': note('synthesized', 'A file must have a media type'),
  'source-synthesized': note('synthesized', 'A document must have a title and a media type'),
  'orphan-result': loss('dropped', 'The message has no call that this result answers'),
  'error-as-text': note('downgraded', 'What a failed tool says is one text'),
  'forbidden-key': loss('dropped', 'Readers refuse keys that could reach a prototype'),
}
