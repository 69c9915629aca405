import type { Rule } from '../../canonical/check/rule.ts'
import { type LossRules, loss, note } from '../encoding.ts'
import { modelLosses } from '../models.ts'
import { settleLosses } from '../settle-words.ts'
import { argumentLosses } from '../shared/object-arguments.ts'
import { fitLosses } from '../shared/schemas.ts'

/** The server asks nothing of a conversation beyond what every provider does: ids and names are free, turns in any order. */
export const rules: readonly Rule[] = []

/** Everything that the encoder may leave out, move, rename or make up. */
export const losses: LossRules = {
  ...modelLosses,
  ...settleLosses,
  ...fitLosses,
  'foreign-residue': loss('dropped', 'What another wire format adds has no place here'),
  'foreign-opaque': loss('dropped', 'A block of another wire format cannot be sent here'),
  'foreign-reasoning': loss('dropped', 'Reasoning of another maker is set aside'),
  'foreign-signature': loss('dropped', 'Only its maker can verify this signature: it is set aside'),
  'stale-logprobs': loss('dropped', 'The content was edited, so its log probabilities no longer hold'),
  'stale-context': loss('dropped', 'The content was edited, so its encoded context no longer holds'),
  'reasoning-as-text': loss('downgraded', 'Reasoning of another maker is shown as text'),
  'foreign-provider-call': loss('downgraded', 'A call that a provider ran is described in words'),
  'unsupported-media': loss('downgraded', 'Only bytes of images can be sent: this is described in words'),
  'dropped-media': loss('dropped', 'Only bytes of images can be sent here'),
  'foreign-file': loss('downgraded', 'The file lies at another provider: it is described in words'),
  'media-detail': loss('dropped', 'There is no field for the detail, name or transcript of this content'),
  'media-type': note('dropped', 'The bytes of an image tell its type'),
  'cache-hint': note('dropped', 'There are no cache markers here'),
  'citations-dropped': loss('dropped', 'Citations cannot be sent here'),
  'refusal-as-text': note('downgraded', 'There is no field for refusals: it is sent as text'),
  'json-as-text': note('downgraded', 'Results are text: the data is sent as JSON'),
  'error-as-text': note('downgraded', 'Results have no error flag: the failure is said in JSON'),
  ...argumentLosses,
  'message-name': loss('dropped', 'Messages have no name here'),
  'developer-role': note('renamed', 'Developer messages are system text here'),
  'empty-text': note('dropped', 'Empty text says nothing'),
  'empty-message': note('dropped', 'A message without content says nothing'),
  'order-lost': note(
    'moved',
    'Reasoning stands first, then images, text and calls, whatever their order was',
  ),
  'texts-joined': note('downgraded', 'A message has one text: its parts are joined'),
  'allowed-tools': note('downgraded', 'Only the allowed tools are sent'),
  'choice-without-tools': note('dropped', 'A choice needs tools to choose from'),
  'auto-choice': note('dropped', 'The model always chooses by itself here'),
  'schema-root': note('synthesized', 'The schema of a tool must be that of an object'),
  'foreign-tool': loss('dropped', 'This tool is run by another provider'),
  'effort-approximated': note('downgraded', 'The nearest level of thought is asked for'),
  'text-output': note('dropped', 'Text is what answers are here'),
  'output-name': note('dropped', 'The schema has no name here'),
  'stream-stated': note('synthesized', 'An answer is streamed unless the request says otherwise'),
  'no-field': loss('dropped', 'There is no such setting here'),
  'response-id': note('dropped', 'Answers have no id here'),
  'usage-detail': loss('dropped', 'Tokens of input and output are counted here, nothing else'),
  'usage-total': note('dropped', 'The total is the sum of input and output'),
  'late-correction': loss('dropped', 'The end of a part corrects what the stream has told already'),
  'finish-approximated': note('downgraded', 'The nearest reason to stop is said'),
  'finish-synthesized': note('synthesized', 'An answer must say why it stopped'),
  'stop-sequence': loss('dropped', 'Which sequence ended the text is not said here'),
  'candidates-dropped': loss('dropped', 'There is one candidate here'),
}
