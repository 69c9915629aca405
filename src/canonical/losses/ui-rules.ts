/** Loss rules that only the UI protocols have. */
export const uiRules = {
  'signature-dropped': [
    'loss',
    'dropped',
    'The signature of {field} was omitted: {dialect} has no field for it.',
  ],
  'late-signature': [
    'loss',
    'dropped',
    'A later signature of {field} was omitted: {dialect} had already closed the part.',
  ],
  'late-delta': [
    'loss',
    'moved',
    'Content of {field} arrived after {dialect} had closed the part: text was sent as a new part, anything else was omitted.',
  ],
  'late-citations': [
    'note',
    'moved',
    '{field} was sent as a custom event: {dialect} had already closed the message.',
  ],
  'correction-omitted': [
    'loss',
    'downgraded',
    'A correction of {field} was omitted: {dialect} cannot retract content that was already shown.',
  ],
  restarted: [
    'loss',
    'downgraded',
    'The answer at {field} started again: {dialect} cannot retract what was already shown.',
  ],
  'call-id-repeated': [
    'note',
    'renamed',
    '{field} was changed: {dialect} requires a unique id for every call.',
  ],
  'call-name': [
    'note',
    'moved',
    'The name of {field} was sent as metadata: {dialect} had already started the call.',
  ],
  'call-invalid': [
    'note',
    'downgraded',
    '{field} was marked as invalid: {dialect} sends arguments as text, and this text is not valid JSON.',
  ],
  'provider-call': [
    'note',
    'downgraded',
    '{field} was marked in its metadata: {dialect} has no field for calls that the provider executed.',
  ],
  'result-replaced': [
    'loss',
    'downgraded',
    '{field} replaced an earlier result: {dialect} has one result per call.',
  ],
  'result-without-call': [
    'loss',
    'dropped',
    '{field} was omitted: {dialect} has no call with this id to attach it to.',
  ],
  'error-as-metadata': [
    'note',
    'moved',
    '{field} was sent as metadata: {dialect} has no error flag for results.',
  ],
  'opaque-event': [
    'note',
    'dropped',
    'An event of unknown type at {field} was omitted: {dialect} sends it only if the option opaque allows it.',
  ],
  'media-as-custom': [
    'note',
    'downgraded',
    '{field} was sent as a custom event: {dialect} has no media in answers.',
  ],
  'media-as-text': [
    'note',
    'downgraded',
    '{field} was sent as text: {dialect} has no text files in results.',
  ],
  'media-type-added': [
    'note',
    'synthesized',
    '{field} was set to a generic type: {dialect} requires a media type.',
  ],
  'file-reference': [
    'loss',
    'dropped',
    '{field} was omitted: {dialect} needs a URL or the bytes, and the file is stored at a provider.',
  ],
  'citations-as-metadata': ['note', 'moved', '{field} was sent as metadata: {dialect} has no citations.'],
  'foreign-citation': [
    'loss',
    'dropped',
    '{field} was omitted: {dialect} cannot show a citation of unknown type.',
  ],
  'source-synthesized': [
    'note',
    'synthesized',
    'A title or a media type was added to {field}: {dialect} requires both for a document.',
  ],
  'message-metadata': [
    'note',
    'dropped',
    '{field} was omitted: {dialect} sends it only through the option messageMetadata.',
  ],
  'message-field': [
    'note',
    'dropped',
    '{field} was omitted: {dialect} has no field for it, and only the store needs it.',
  ],
  'forbidden-key': [
    'loss',
    'dropped',
    'Keys of {field} were omitted: {dialect} readers reject keys that can reach a prototype.',
  ],
} as const
