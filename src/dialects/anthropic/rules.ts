import type { Rule } from '../../canonical/check/rule.ts'
import { type LossRules, loss, note } from '../encoding.ts'
import { modelLosses } from '../models.ts'
import { settleLosses } from '../settle-words.ts'
import { argumentLosses } from '../shared/object-arguments.ts'
import { fitLosses } from '../shared/schemas.ts'
import { callIdRule, emptyText, firstTurn, toolNameRule } from '../shared/validity.ts'
import { idRule, toolNames } from './codes.ts'

/** What the provider asks of a conversation beyond what every provider does. */
export const rules: readonly Rule[] = [emptyText, firstTurn, callIdRule(idRule), toolNameRule(toolNames)]

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
  'reasoning-as-text': loss('downgraded', 'Reasoning of another maker is shown as text'),
  'foreign-provider-call': loss('downgraded', 'A call that another provider ran is described in words'),
  'late-correction': loss('dropped', 'The end of a part corrects what the stream has told already'),
  'unsupported-media': loss('downgraded', 'This content cannot be sent here: it is described in words'),
  'dropped-media': loss('dropped', 'This content cannot be sent here'),
  'foreign-file': loss('downgraded', 'The file lies at another provider: it is described in words'),
  'media-detail': loss('dropped', 'There is no field for the detail, name or transcript of this content'),
  'empty-text': note('dropped', 'Empty text is refused'),
  'silent-error': note('synthesized', 'A result that is an error must say something'),
  'trailing-space': note('dropped', 'An answer that the model is to go on with may not end with white space'),
  'empty-message': note('dropped', 'A message without content is refused'),
  'refusal-as-text': note('downgraded', 'There are no refusal blocks: it is sent as text'),
  'json-as-text': note('downgraded', 'There are no JSON blocks: it is sent as text'),
  ...argumentLosses,
  'unverifiable-citation': loss('dropped', 'A citation needs what only this provider can make'),
  'user-citation': loss('dropped', 'Citations are refused outside of answers'),
  'citation-file': note('dropped', 'Citations name no file outside of answers'),
  'citation-detail': loss('dropped', 'A citation has no field for this here'),
  'cache-refused': note('dropped', 'This place has no cache marker'),
  'cache-limit': note('dropped', 'Four cache markers are allowed: the last ones stay'),
  'message-name': loss('dropped', 'Messages have no name here'),
  'result-name': note('dropped', 'Results are told by the id of their call'),
  'system-in-place': note('moved', 'Later instructions are sent as marked text of the user'),
  'developer-role': note('renamed', 'Developer messages are system text here'),
  'default-max-tokens': note('synthesized', 'A limit of tokens is required'),
  'foreign-tool': loss('dropped', 'This tool is run by another provider'),
  'allowed-tools': note('downgraded', 'Only the allowed tools are sent'),
  'id-changed': note('renamed', 'The provider takes only letters, digits, _ and - in ids'),
  'name-changed': note('renamed', 'The provider takes only letters, digits, _ and - in names'),
  'no-field': loss('dropped', 'There is no such setting here'),
  'effort-approximated': note('downgraded', 'The nearest effort is asked for'),
  'sampling-refused': loss('dropped', 'This version of the API refuses sampling settings'),
  'sampling-range': loss('downgraded', 'The temperature ends at 1 here'),
  'json-without-schema': loss('dropped', 'JSON is only promised for a schema'),
  'choice-without-tools': note('dropped', 'A choice needs tools to choose from'),
  'choice-synthesized': note('synthesized', 'Whether calls may be parallel is said in the choice'),
  'output-schema-refused': loss(
    'dropped',
    'Answers keep to a schema by force or not at all, and this one cannot be strict: answers are free',
  ),
  'schema-root': note('synthesized', 'The schema of a tool must be that of an object'),
  'first-turn': note('synthesized', 'A conversation must begin with the user'),
  'usage-total': note('dropped', 'The total is the sum of input and output'),
  'finish-approximated': note('downgraded', 'The nearest reason to stop is said'),
  'budget-range': note(
    'downgraded',
    'A budget is 1024 tokens or more, and less than the limit of all tokens',
  ),
  'thinking-enabled': note('synthesized', 'A budget, or thoughts to show, need thinking to be on'),
  'text-output': note('dropped', 'Text is what answers are here'),
  'output-name': note('dropped', 'The schema has no name here'),
  'candidates-dropped': loss('dropped', 'There is one candidate here'),
}
