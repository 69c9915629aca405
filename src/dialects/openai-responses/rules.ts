import type { Rule } from '../../canonical/check/rule.ts'
import { type LossRules, loss, note } from '../encoding.ts'
import { modelLosses } from '../models.ts'
import { settleLosses } from '../settle-words.ts'
import { fitLosses } from '../shared/schemas.ts'
import { callIdRule, toolNameRule } from '../shared/validity.ts'
import { idRule, toolNames } from './codes.ts'

/** What the provider asks of a conversation beyond what every provider does. */
export const rules: readonly Rule[] = [callIdRule(idRule), toolNameRule(toolNames)]

/** Everything that the encoder may leave out, move, rename or make up. */
export const losses: LossRules = {
  ...modelLosses,
  ...settleLosses,
  ...fitLosses,
  'foreign-residue': loss('dropped', 'What another wire format adds has no place here'),
  'foreign-opaque': loss('dropped', 'A block of another wire format cannot be sent here'),
  'foreign-reasoning': loss('dropped', 'Only its maker can verify this reasoning: it is set aside'),
  'foreign-signature': loss('dropped', 'Only its maker can verify this signature: it is set aside'),
  'stale-signature': loss('dropped', 'The content was edited, so its signature no longer holds'),
  'stale-logprobs': loss('dropped', 'The content was edited, so its log probabilities no longer hold'),
  'reasoning-as-text': loss('downgraded', 'Reasoning of another maker is shown as text'),
  'unpaired-reasoning': loss('dropped', 'Reasoning is refused without the item that followed it'),
  'reasoning-named': note('synthesized', 'Reasoning needs an id'),
  'item-id-dropped': note('dropped', 'An id is refused without the reasoning that stood before it'),
  'foreign-provider-call': loss('downgraded', 'A call that another provider ran is described in words'),
  'provider-call-dropped': loss('dropped', 'A call that a provider ran is left out of the stream'),
  'unsupported-media': loss('downgraded', 'This content cannot be sent here: it is described in words'),
  'dropped-media': loss('dropped', 'This content cannot be sent here'),
  'foreign-file': loss('downgraded', 'The file lies at another provider: it is described in words'),
  'media-detail': loss('dropped', 'There is no field for the detail, name or transcript of this content'),
  'text-encoded': note('downgraded', 'A file that is text is sent as base64'),
  'cache-hint': note('dropped', 'This place has no cache marker'),
  'cache-lifetime': note('dropped', 'The provider decides how long it caches'),
  'citations-dropped': loss('dropped', 'Citations cannot be sent here'),
  'citation-detail': loss('dropped', 'A citation has no field for this here'),
  'citation-stretch': note('synthesized', 'A citation stands for a stretch of the text: here for all of it'),
  'refusal-as-text': note('downgraded', 'A refusal that came from elsewhere is sent as text'),
  'json-as-text': note('downgraded', 'Results are text and media: the data is sent as JSON'),
  'error-as-text': note('downgraded', 'Results have no error flag: the failure is said in words'),
  'result-name': note('dropped', 'Results are told by the id of their call'),
  'result-form': loss('dropped', 'A result of this tool has no place for this'),
  'message-name': loss('dropped', 'Messages have no name here'),
  'empty-text': note('dropped', 'Empty text says nothing'),
  'first-turn': note('synthesized', 'A conversation must say something'),
  'empty-message': note('dropped', 'A message without content is refused'),
  'choice-without-tools': note('dropped', 'A choice needs tools to choose from'),
  'output-named': note('synthesized', 'A schema needs a name'),
  'output-limit': note('downgraded', 'The provider refuses a limit below 16 tokens'),
  'effort-approximated': note('downgraded', 'The nearest effort is asked for'),
  'summary-asked': note('downgraded', 'Thoughts are shown as a summary here'),
  'finish-approximated': note('downgraded', 'The nearest reason to stop is said'),
  'finish-synthesized': note('synthesized', 'An answer must say why it stopped'),
  'stop-sequence': loss('dropped', 'Which sequence ended the text is not said here'),
  'candidates-dropped': loss('dropped', 'There is one candidate here'),
  'id-changed': note('renamed', 'The provider takes 64 letters, digits, _ and - in ids'),
  'name-changed': note('renamed', 'The provider takes only letters, digits, _ and - in names'),
  'no-field': loss('dropped', 'There is no such setting here'),
  'foreign-tool': loss('dropped', 'This tool is run by another provider'),
}
