/** Loss rules of messages and their parts: text, media, reasoning, signatures, citations and cache markers. */
export const contentRules = {
  'empty-text': ['note', 'dropped', '{field} contains no text; it was omitted for {dialect}.'],
  'empty-message': [
    'note',
    'dropped',
    '{field} has no content that can be sent to {dialect}; the message was omitted.',
  ],
  'trailing-space': [
    'note',
    'dropped',
    'White space at the end of {field} was removed: {dialect} rejects it in an answer that the model continues.',
  ],
  'first-turn': [
    'note',
    'synthesized',
    'A placeholder user message was added at {field}: {dialect} requires the conversation to start with one.',
  ],
  'turn-between': [
    'note',
    'synthesized',
    'An assistant message was added before {field}: {host} requires one between tool results and a user message.',
  ],
  'answer-prefix': [
    'note',
    'synthesized',
    '{field} was marked as a prefix: {host} requires the mark on an answer that the model continues.',
  ],
  'system-in-place': [
    'note',
    'moved',
    '{field} was sent as marked user text: {dialect} accepts system text only at the start.',
  ],
  'developer-role': ['note', 'renamed', '{field} was changed to system: {host} has no developer role.'],
  'message-name': ['loss', 'dropped', '{field} is not supported by {host}; it was omitted.'],
  'host-field': ['loss', 'dropped', '{field} has a field that {host} rejects; the field was omitted.'],
  'texts-joined': [
    'note',
    'downgraded',
    'The values of {field} were joined: {dialect} accepts only one value.',
  ],
  'stream-joined': [
    'note',
    'downgraded',
    'Consecutive texts of {field} were joined: {dialect} cannot separate them in a stream.',
  ],
  'order-lost': ['note', 'moved', '{field} was moved: {dialect} has a fixed order of content.'],
  'refusal-as-text': ['note', 'downgraded', '{field} was sent as text: {host} has no refusal content.'],
  'json-as-text': [
    'note',
    'downgraded',
    '{field} was sent as JSON text: {dialect} has no structured data in messages.',
  ],
  'foreign-opaque': [
    'loss',
    'dropped',
    '{field} is a block of another format that {dialect} cannot represent; it was omitted.',
  ],

  'unsupported-media': [
    'loss',
    'downgraded',
    '{field} was replaced by a text description: {dialect} does not accept this media.',
  ],
  'dropped-media': ['loss', 'dropped', '{field} was omitted: {dialect} does not accept this media.'],
  'foreign-file': [
    'loss',
    'downgraded',
    '{field} was replaced by a text description: the file is stored at another provider than {dialect}.',
  ],
  'media-detail': ['loss', 'dropped', '{field} is not supported by {dialect}; it was omitted.'],
  'media-type': ['note', 'dropped', '{field} was omitted: {dialect} detects the type from the bytes.'],
  'media-after': [
    'note',
    'moved',
    '{field} was moved to a user message after the result: {dialect} does not accept media in results.',
  ],
  'text-encoded': ['note', 'downgraded', '{field} was encoded as base64: {dialect} has no text files.'],

  'foreign-reasoning': [
    'loss',
    'dropped',
    '{field} was omitted: {dialect} does not accept reasoning of another vendor. It stays on the message.',
  ],
  'hidden-reasoning': [
    'note',
    'dropped',
    '{field} was omitted for {dialect}: it has no readable text, and only its vendor can use it.',
  ],
  'reasoning-as-text': [
    'loss',
    'downgraded',
    '{field} was sent as text: {dialect} does not accept reasoning of another vendor.',
  ],
  'unpaired-reasoning': [
    'loss',
    'dropped',
    '{field} was omitted: {dialect} rejects reasoning without the item that followed it.',
  ],
  'reasoning-named': [
    'note',
    'synthesized',
    'An id was added to {field}: {dialect} requires one on reasoning.',
  ],
  'item-id-dropped': [
    'note',
    'dropped',
    'The id of {field} was omitted: {dialect} rejects it without the reasoning before it.',
  ],
  'reasoning-field': [
    'note',
    'renamed',
    '{field} was sent in another field: {host} has its own name for reasoning.',
  ],
  'empty-reasoning': [
    'note',
    'synthesized',
    'An empty reasoning field was added to {field}: {host} requires one in every assistant message.',
  ],

  'foreign-signature': [
    'note',
    'dropped',
    '{field} was omitted: {dialect} cannot verify the signature of another vendor. It stays on the message.',
  ],
  'stale-signature': [
    'loss',
    'dropped',
    '{field} was edited after it was signed; its signature is invalid and was omitted for {dialect}.',
  ],
  'signature-placeholder': [
    'note',
    'synthesized',
    'A placeholder was added at {field}: {dialect} requires a signature on calls, and another vendor made this one.',
  ],
  'signature-moved': [
    'note',
    'moved',
    'The signature of {field} was moved to its call, as {dialect} requires.',
  ],
  'stale-logprobs': [
    'loss',
    'dropped',
    '{field} was omitted for {dialect}: the content that it measures was edited.',
  ],
  'stale-grounding': [
    'loss',
    'dropped',
    '{field} was omitted for {dialect}: the text or the citations that it describes were edited.',
  ],
  'stale-context': [
    'loss',
    'dropped',
    '{field} was omitted for {dialect}: the content that it encodes was edited.',
  ],

  'citations-dropped': ['loss', 'dropped', '{field} is not supported by {dialect}; it was omitted.'],
  'citation-detail': ['loss', 'dropped', '{field} is not supported by {dialect}; it was omitted.'],
  'citation-range': [
    'note',
    'synthesized',
    '{field} was applied to the whole text: {dialect} requires a range, and the citation has none.',
  ],
  'citation-file': [
    'note',
    'dropped',
    '{field} is not supported by {dialect} outside of answers; it was omitted.',
  ],
  'unverifiable-citation': [
    'loss',
    'dropped',
    '{field} was omitted: {dialect} accepts only citations with data that it issued.',
  ],
  'user-citation': [
    'loss',
    'dropped',
    '{field} was omitted: {dialect} rejects citations outside of answers.',
  ],

  'cache-hint': ['note', 'dropped', '{field} was omitted: {dialect} has no cache marker for this field.'],
  'cache-limit': [
    'note',
    'dropped',
    '{field} was omitted: {dialect} accepts four cache markers, and the last ones are kept.',
  ],
  'cache-lifetime': ['note', 'dropped', '{field} was omitted: {dialect} decides how long it caches.'],
} as const
