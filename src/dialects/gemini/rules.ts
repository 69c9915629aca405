import type { Rule } from '../../canonical/check/rule.ts'
import { type LossRules, loss, note } from '../encoding.ts'
import { modelLosses } from '../models.ts'
import { settleLosses } from '../settle-words.ts'
import { argumentLosses } from '../shared/object-arguments.ts'
import { fitLosses } from '../shared/schemas.ts'
import { firstTurn, toolNameRule } from '../shared/validity.ts'
import { toolNames } from './codes.ts'

/** What the provider asks of a conversation beyond what every provider does. */
export const rules: readonly Rule[] = [firstTurn, toolNameRule(toolNames)]

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
  'stale-logprobs': loss(
    'dropped',
    'The content was edited, so what measures or vouches for it no longer holds',
  ),
  'stale-grounding': loss(
    'dropped',
    'The text or its citations were edited, so what else its sources say is gone',
  ),
  'signature-placeholder': note(
    'synthesized',
    'A call that this provider did not make needs its placeholder',
  ),
  'signature-moved': note('moved', 'A signature that came apart from its call goes out with the call'),
  'reasoning-as-text': loss('downgraded', 'Reasoning of another maker is shown as text'),
  'foreign-provider-call': loss('downgraded', 'A call that another provider ran is described in words'),
  'unsupported-media': loss('downgraded', 'This content cannot be sent here: it is described in words'),
  'dropped-media': loss('dropped', 'This content cannot be sent here'),
  'foreign-file': loss('downgraded', 'The file lies at another provider: it is described in words'),
  'media-detail': loss(
    'dropped',
    'There is no field for the detail, name, type or transcript of this content',
  ),
  'cache-hint': note('dropped', 'This place has no cache marker'),
  'citations-dropped': loss('dropped', 'Citations cannot be sent here'),
  'citation-detail': loss('dropped', 'A citation has no field for this here'),
  'citation-stretch': note('synthesized', 'A citation stands for a stretch of the text: here for all of it'),
  'empty-text': note('dropped', 'Empty text is refused'),
  'empty-message': note('dropped', 'A message without content is refused'),
  'refusal-as-text': note('downgraded', 'There are no refusal parts: it is sent as text'),
  'json-as-text': note('downgraded', 'This data is sent as text'),
  'texts-joined': note('downgraded', 'A result is one value: its parts are joined'),
  'order-lost': note('moved', 'The data of a result stands before its media'),
  ...argumentLosses,
  'message-name': loss('dropped', 'Messages have no name here'),
  'result-name': note('dropped', 'Results are told by the id of their call'),
  'result-named': note('synthesized', 'A result must name its function, and the call is not there to tell'),
  'system-in-place': note('moved', 'Later instructions are sent as marked text of the user'),
  'developer-role': note('renamed', 'Developer messages are system text here'),
  'first-turn': note('synthesized', 'A conversation must begin with the user'),
  'foreign-tool': loss('dropped', 'This tool is run by another provider'),
  'allowed-tools': note('downgraded', 'The allowed tools are said otherwise here'),
  'name-changed': note('renamed', 'Names begin with a letter or _, then letters, digits and _ . : - follow'),
  'choice-without-tools': note('dropped', 'A choice needs functions to choose from'),
  'no-field': loss('dropped', 'There is no such setting here'),
  'effort-approximated': note('downgraded', 'The nearest effort is asked for'),
  'thinking-implied': note('dropped', 'An effort or a budget says that thinking is on'),
  'output-name': note('dropped', 'The schema has no name here'),
  'late-correction': loss('dropped', 'The end of a part corrects what the stream has told already'),
  'stream-joined': note('downgraded', 'Texts that follow each other in a stream are one'),
  'finish-approximated': note('downgraded', 'The nearest reason to stop is said'),
  'usage-thoughts': note('downgraded', 'Thoughts are part of the output: more than all of it cannot be said'),
  'stop-sequence': loss('dropped', 'Which sequence ended the text is not said here'),
}
