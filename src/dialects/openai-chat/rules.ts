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
  'foreign-reasoning': loss('dropped', 'Reasoning cannot be sent here: it is set aside'),
  'foreign-signature': loss('dropped', 'Only its maker can verify this signature: it is set aside'),
  'stale-signature': loss('dropped', 'The content was edited, so its signature no longer holds'),
  'stale-logprobs': loss('dropped', 'The content was edited, so its log probabilities no longer hold'),
  'reasoning-as-text': loss('downgraded', 'Reasoning is shown as text'),
  'foreign-provider-call': loss('downgraded', 'A call that a provider ran is described in words'),
  'late-correction': loss('dropped', 'The end of a part corrects what the stream has told already'),
  'unsupported-media': loss('downgraded', 'This content cannot be sent here: it is described in words'),
  'dropped-media': loss('dropped', 'This content cannot be sent here'),
  'foreign-file': loss('downgraded', 'The file lies at another provider: it is described in words'),
  'media-detail': loss('dropped', 'There is no field for the detail, name or transcript of this content'),
  'cache-hint': note('dropped', 'This place has no cache marker'),
  'citations-dropped': loss('dropped', 'Citations cannot be sent here'),
  'citation-detail': loss('dropped', 'A citation has no field for this here'),
  'citation-stretch': note('synthesized', 'A citation stands for a stretch of the text: here for all of it'),
  'json-as-text': note('downgraded', 'Results are text: the data is sent as JSON'),
  'error-as-text': note('downgraded', 'Results have no error flag: the failure is said in JSON'),
  'result-name': note('dropped', 'Results are told by the id of their call'),
  'message-name': loss('dropped', 'Tool messages and answers have no name'),
  'empty-text': note('dropped', 'Empty text says nothing'),
  'empty-message': note('dropped', 'A message without content is refused'),
  'first-turn': note('synthesized', 'A conversation must say something'),
  'order-lost': note('moved', 'Text stands before calls and reasoning before both, whatever their order was'),
  'texts-joined': note('downgraded', 'A response has one text: its parts are joined'),
  'stop-limit': loss('dropped', 'Four stop sequences are allowed, or as many as the host takes'),
  'choice-without-tools': note('dropped', 'A choice needs tools to choose from'),
  'output-named': note('synthesized', 'A schema needs a name'),
  'finish-approximated': note('downgraded', 'The nearest reason to stop is said'),
  'finish-synthesized': note('synthesized', 'An answer must say why it stopped'),
  'cache-lifetime': note('dropped', 'The provider decides how long it caches'),
  'stop-sequence': loss('dropped', 'Which sequence ended the text is not said here'),
  'id-changed': note(
    'renamed',
    'The provider takes 40 letters, digits, _ and - in ids, or what the host says',
  ),
  'name-changed': note('renamed', 'The provider takes only letters, digits, _ and - in names'),
  'no-field': loss('dropped', 'There is no such setting here'),
  'developer-role': note('renamed', 'This host has no role for developers: they speak as the system'),
  'speaker-name': loss('dropped', 'This host refuses names of speakers'),
  'host-field': loss('dropped', 'This host refuses the field that another host has'),
  'thought-field': note('renamed', 'This host takes reasoning in another field'),
  'empty-thought': note('synthesized', 'This host wants the field of reasoning in every answer'),
  'refusal-as-text': note('downgraded', 'This host has no field for refusals: they are said as text'),
  'custom-as-function': note('downgraded', 'This host has no tools that take text: a function takes it'),
  'turn-between': note('synthesized', 'Here the model must speak between results and the user'),
  'answer-continued': note('synthesized', 'An answer that the model goes on with is marked here'),
  'temperature-range': loss('downgraded', 'This host does not take such a high temperature'),
  'tools-withheld': note(
    'dropped',
    'This choice cannot be said here: tools that are not to be called are not shown',
  ),
  'output-schema-unknown': loss(
    'downgraded',
    'This host knows no schemas: a JSON object is asked for, whatever its form',
  ),
  'output-schema-made': note('synthesized', 'This host wants a schema: one that takes every object'),
  'foreign-tool': loss('dropped', 'This tool is run by another provider'),
}
