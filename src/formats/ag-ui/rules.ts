import { loss, type LossRules, note } from '../../canonical/check/losses.ts'
import { uiLosses } from '../shared/rules.ts'

/** Everything that AG-UI events leave out, move, rename or make up. */
export const losses: LossRules = {
  ...uiLosses,
  'foreign-opaque': loss('dropped', 'A block that nobody here knows does not go out'),
  'opaque-event': note(
    'dropped',
    'An event that nobody here knows goes out unless the option opaque says no',
  ),
  'media-as-custom': note('downgraded', 'Answers hold no media here: it is sent as a custom event'),
  'citations-as-metadata': note('moved', 'Messages have no citations here: they are sent as metadata'),
  'late-citations': note(
    'moved',
    'They came after their message was closed: they are sent as a custom event',
  ),
  'call-name': note('moved', 'The name came after the call had begun: it is sent as metadata'),
  'invalid-arguments': note('downgraded', 'Arguments are text here, JSON or not: the call is marked'),
  'provider-call': note('downgraded', 'Calls do not say who runs them here: it is sent as metadata'),
  'error-as-metadata': note('moved', 'Results have no error flag here: it is sent as metadata'),
  'json-as-text': note('downgraded', 'Results are text and media here: data is sent as JSON'),
  'media-as-text': note('downgraded', 'Results hold no text files here: it is sent as text'),
  'message-field': note('dropped', 'This is between the server and its store'),
}
