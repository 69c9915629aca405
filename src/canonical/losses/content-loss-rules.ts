/** Loss rules of messages and their parts: text, media, reasoning, signatures, citations and cache markers. */
export const contentLossRules = {
  loss: {
    dropped: {
      'message-name': '{field} is not supported by {host}; it was omitted.',
      'host-field': '{field} has a field that {host} rejects; the field was omitted.',
      'later-system': '{field} was omitted: {dialect} accepts system text only at the start.',
      'dropped-media': '{field} was omitted: {host} or its model does not accept this media.',
      'media-detail': '{field} is not supported by {dialect}; it was omitted.',
      'foreign-reasoning':
        '{field} was omitted: {dialect} does not accept reasoning of another vendor. It stays on the message.',
      'bound-reasoning':
        '{field} was omitted: this model of {dialect} accepts reasoning only of the same model and after an unchanged conversation.',
      'unpaired-reasoning':
        '{field} was omitted: {dialect} rejects reasoning without the item that followed it.',
      'stale-logprobs': '{field} was omitted for {dialect}: the content that it measures was edited.',
      'stale-grounding':
        '{field} was omitted for {dialect}: the text or the citations that it describes were edited.',
      'stale-context': '{field} was omitted for {dialect}: the content that it encodes was edited.',
      'citations-dropped': '{field} is not supported by {dialect}; it was omitted.',
      'citation-detail': '{field} is not supported by {dialect}; it was omitted.',
      'unverifiable-citation':
        '{field} was omitted: {dialect} accepts only citations with data that it issued.',
      'user-citation': '{field} was omitted: {dialect} rejects citations outside of answers.',
    },
    downgraded: {
      'unsupported-media':
        '{field} was replaced by a text description: {dialect} does not accept this media.',
      'model-media':
        '{field} was replaced by a text description: this model of {host} does not accept this media.',
      'foreign-file':
        '{field} was replaced by a text description: the file is stored at another provider than {dialect}.',
      'reasoning-as-text': '{field} was sent as text: {dialect} does not accept reasoning of another vendor.',
    },
  },
  note: {
    dropped: {
      'model-cache-marker': '{field} was omitted: this model of {host} has no cache markers.',
      'empty-text': '{field} contains no text; it was omitted for {dialect}.',
      'empty-message': '{field} has no content that can be sent to {dialect}; the message was omitted.',
      'trailing-space':
        'White space at the end of {field} was removed: {dialect} rejects it in an answer that the model continues.',
      'call-id-omitted': '{field} was omitted: {host} pairs calls and results by name and order.',
      'media-type': '{field} was omitted: {dialect} detects the type from the bytes.',
      'hidden-reasoning':
        '{field} was omitted for {dialect}: it has no readable text, and only its vendor can use it.',
      'item-id-dropped':
        'The id of {field} was omitted: {dialect} rejects it without the reasoning before it.',
      'foreign-signature':
        '{field} was omitted: {dialect} cannot verify the signature of another vendor. It stays on the message.',
      'citation-file': '{field} is not supported by {dialect} outside of answers; it was omitted.',
      'cache-limit': '{field} was omitted: {dialect} accepts four cache markers, and the last ones are kept.',
      'cache-lifetime': '{field} was omitted: {dialect} has no setting for the lifetime of a cache entry.',
    },
    downgraded: {
      'lone-surrogate':
        'Half of a character in {field} was replaced by U+FFFD: {dialect} rejects text that is not well-formed.',
      'texts-joined': 'The values of {field} were joined: {dialect} accepts only one value.',
      'stream-joined':
        'Consecutive texts of {field} were joined: {dialect} cannot separate them in a stream.',
      'text-encoded': '{field} was encoded as base64: {dialect} has no text files.',
    },
    moved: {
      'system-as-user':
        '{field} was sent as marked user text: this model of {dialect} accepts no system text.',
      'system-in-place':
        '{field} was sent as marked user text: {dialect} accepts system text only at the start.',
      'order-lost': '{field} was moved: {dialect} has a fixed order of content.',
      'media-after':
        '{field} was moved to a user message after the result: {dialect} does not accept media in results.',
      'text-as-plan': '{field} was sent as the tool plan: {dialect} accepts no text beside calls.',
      'signature-moved': 'The signature of {field} was moved to its call, as {dialect} requires.',
    },
    renamed: {
      'file-renamed':
        '{field} was changed: {dialect} restricts the characters of file names, and each occurs once.',
      'developer-role': '{field} was changed to system: {host} has no developer role.',
      'reasoning-field': '{field} was sent in another field: {host} has its own name for reasoning.',
    },
    synthesized: {
      'first-turn':
        'A placeholder user message was added at {field}: {dialect} requires the conversation to start with one.',
      'turn-between':
        'An assistant message was added before {field}: {host} requires one between tool results and a user message.',
      'answer-prefix':
        '{field} was marked as a prefix: {host} requires the mark on an answer that the model continues.',
      'file-named': 'A name was added to {field}: {dialect} requires one for a file.',
      'document-text': 'A text was added to {field}: {dialect} requires one beside a document.',
      'media-type-derived':
        'A media type was added to {field}: {host} requires one. It was derived from the address or the kind of media.',
      'reasoning-named': 'An id was added to {field}: {dialect} requires one on reasoning.',
      'empty-reasoning':
        'An empty reasoning field was added to {field}: {host} requires one in every assistant message.',
      'reasoning-signature':
        'A signature was added to {field}: {dialect} requires one on reasoning, and this reasoning comes from another vendor.',
      'signature-placeholder':
        'A placeholder signature was added at {field}: {dialect} requires a signature on calls, and this call comes from another vendor.',
      'citation-range':
        '{field} was applied to the whole text: {dialect} requires a range, and the citation has none.',
    },
  },
} as const
