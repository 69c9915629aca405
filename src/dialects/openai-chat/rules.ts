import { type LossRules, loss, note } from '../encoding.ts'

/** Everything that the encoder may leave out, move, rename or make up. */
export const losses: LossRules = {
  'foreign-residue': loss('dropped', 'What another wire format adds has no place here'),
  'foreign-opaque': loss('dropped', 'A block of another wire format cannot be sent here'),
  'foreign-reasoning': loss('dropped', 'Reasoning cannot be sent here: it is set aside'),
  'foreign-signature': loss('dropped', 'Only its maker can verify this signature: it is set aside'),
  'reasoning-as-text': loss('downgraded', 'Reasoning is shown as text'),
  'foreign-provider-call': loss('downgraded', 'A call that a provider ran is described in words'),
  'unsupported-media': loss('downgraded', 'This content cannot be sent here: it is described in words'),
  'dropped-media': loss('dropped', 'This content cannot be sent here'),
  'foreign-file': loss('downgraded', 'The file lies at another provider: it is described in words'),
  'media-detail': loss('dropped', 'There is no field for the detail, name or transcript of this content'),
  'cache-hint': note('dropped', 'The provider caches by itself'),
  'citations-dropped': loss('dropped', 'Citations cannot be sent here'),
  'json-as-text': note('downgraded', 'Results are text: the data is sent as JSON'),
  'error-as-text': note('downgraded', 'Results have no error flag: the failure is said in JSON'),
  'result-name': note('dropped', 'Results are told by the id of their call'),
  'message-name': loss('dropped', 'Tool messages have no name'),
  'empty-message': note('dropped', 'A message without content is refused'),
  'order-lost': note('moved', 'Text stands before calls and reasoning before both, whatever their order was'),
  'texts-joined': note('downgraded', 'A response has one text: its parts are joined'),
  'no-field': loss('dropped', 'There is no such setting here'),
  'foreign-tool': loss('dropped', 'This tool is run by another provider'),
}
