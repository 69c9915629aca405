import type { LossRules } from '../encoding.ts'

const loss = (action: 'dropped' | 'downgraded', reason: string): LossRules[string] => ({ action, severity: 'loss', reason })
const note = (
  action: 'dropped' | 'downgraded' | 'moved' | 'renamed' | 'synthesized',
  reason: string,
): LossRules[string] => ({ action, severity: 'note', reason })

/** Everything that the encoder may leave out, move, rename or make up. */
export const losses: LossRules = {
  'foreign-residue': loss('dropped', 'What another wire format adds has no place here'),
  'foreign-opaque': loss('dropped', 'A block of another wire format cannot be sent here'),
  'foreign-reasoning': loss('dropped', 'Only its maker can verify this reasoning: it is set aside'),
  'foreign-signature': loss('dropped', 'Only its maker can verify this signature: it is set aside'),
  'stale-signature': loss('dropped', 'The content was edited, so its signature no longer holds'),
  'reasoning-as-text': loss('downgraded', 'Reasoning of another maker is shown as text'),
  'foreign-provider-call': loss('downgraded', 'A call that another provider ran is described in words'),
  'unsupported-media': loss('downgraded', 'This content cannot be sent here: it is described in words'),
  'dropped-media': loss('dropped', 'This content cannot be sent here'),
  'foreign-file': loss('downgraded', 'The file lies at another provider: it is described in words'),
  'media-detail': loss('dropped', 'There is no field for the detail, name or transcript of this content'),
  'empty-text': note('dropped', 'Empty text is refused'),
  'empty-message': note('dropped', 'A message without content is refused'),
  'refusal-as-text': note('downgraded', 'There are no refusal blocks: it is sent as text'),
  'json-as-text': note('downgraded', 'There are no JSON blocks: it is sent as text'),
  'invalid-arguments': loss('downgraded', 'Arguments must be an object: the text that came is wrapped'),
  'unverifiable-citation': loss('dropped', 'A citation needs what only this provider can make'),
  'user-citation': loss('dropped', 'Citations are refused outside of answers'),
  'message-name': loss('dropped', 'Messages have no name here'),
  'result-name': note('dropped', 'Results are told by the id of their call'),
  'system-in-place': note('moved', 'Later instructions are sent as marked text of the user'),
  'developer-role': note('renamed', 'Developer messages are system text here'),
  'default-max-tokens': note('synthesized', 'A limit of tokens is required'),
  'foreign-tool': loss('dropped', 'This tool is run by another provider'),
  'allowed-tools': note('downgraded', 'Only the allowed tools are sent'),
  'no-field': loss('dropped', 'There is no such setting here'),
  'effort-approximated': note('downgraded', 'The nearest effort is asked for'),
  'sampling-refused': loss('dropped', 'This version of the API refuses sampling settings'),
  'output-name': note('dropped', 'The schema has no name here'),
  'candidates-dropped': loss('dropped', 'There is one candidate here'),
}
