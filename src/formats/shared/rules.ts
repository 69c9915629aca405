import { loss, type LossRules, note } from '../../canonical/check/losses.ts'

/** What may happen to an answer on its way to any UI. */
export const uiLosses: LossRules = {
  'candidates-dropped': loss('dropped', 'A UI shows one answer: the first candidate'),
  'foreign-residue': loss('dropped', 'What only a wire format says has no place in a UI'),
  'cache-hint': note('dropped', 'Caching is between the server and the provider'),
  'signature-dropped': loss('dropped', 'There is no place for the signature of such a part'),
  'stale-signature': loss('dropped', 'The content was edited, so its signature no longer holds'),
  'refusal-as-text': note('downgraded', 'There are no refusals here: it is sent as marked text'),
  'call-id-repeated': note('renamed', 'A UI finds a call by its id: one that repeats gets another'),
  'result-replaced': loss('downgraded', 'A call has one result: a further one takes its place'),
  'late-delta': loss(
    'moved',
    'It came after its part was closed: text goes on in a new part, the rest is left out',
  ),
  'late-signature': loss('dropped', 'Another signature came after its part was closed'),
  restated: loss('downgraded', 'What was shown cannot be taken back'),
  restarted: loss('downgraded', 'The answer began anew: what was shown before stays'),
}
