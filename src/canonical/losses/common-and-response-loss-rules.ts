/** Loss rules that dialects and UI protocols share. */
export const commonLossRules = {
  loss: {
    dropped: {
      'foreign-residue': '{field} exists only in {source}; it was omitted for {dialect}.',
      'candidates-dropped': '{field} was omitted: {dialect} supports a single candidate.',
      'foreign-opaque':
        '{field} is a block of another format that {dialect} cannot represent; it was omitted.',
      'stale-signature':
        '{field} was edited after it was signed; its signature is invalid and was omitted for {dialect}.',
    },
  },
  note: {
    dropped: {
      'foreign-metadata':
        '{field} is metadata of {source}, such as a service tier or a rating; it was omitted for {dialect}.',
      'cache-hint': '{field} was omitted: {dialect} has no cache marker for this field.',
    },
    downgraded: {
      'finish-approximated': '{field} was replaced by the nearest finish reason of {dialect}.',
      'refusal-as-text': '{field} was sent as text: {host} has no refusal content.',
      'json-as-text': '{field} was sent as JSON text: {dialect} has no structured data in messages.',
      'error-as-text':
        'The failure of {field} was sent in its content: {dialect} has no error flag for results.',
    },
  },
} as const

/** Loss rules of answers and their streams. */
export const answerLossRules = {
  loss: {
    dropped: {
      'late-correction':
        'A correction of {field} was omitted: {dialect} cannot retract content that was already streamed.',
      'misplaced-delta':
        'A delta of {field} was omitted for {dialect}: no part of its type was started before it and is still open.',
      'stop-sequence': '{field} is not supported by {dialect}; it was omitted.',
    },
  },
  note: {
    dropped: {
      'response-model':
        '{field} was omitted: answers of {dialect} do not contain the model, which clients know from their request.',
      'usage-detail': '{field} is not counted by {dialect}; it was omitted.',
      'usage-not-requested':
        '{field} was omitted: the request did not ask {dialect} for usage in the stream (`stream_options.include_usage`).',
      'usage-total': '{field} was omitted: {dialect} has only the input and output counts.',
    },
    downgraded: {
      'reasoning-tokens': '{field} was lowered to the output tokens, its maximum in {dialect}.',
    },
    synthesized: {
      'finish-synthesized': '{field} was added: {dialect} requires a finish reason.',
    },
  },
} as const
