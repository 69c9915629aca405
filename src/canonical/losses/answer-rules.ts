/** Loss rules of answers and their streams, and of data that only another format has. */
export const answerRules = {
  'foreign-residue': ['loss', 'dropped', '{field} exists only in {source}; it was omitted for {dialect}.'],
  'foreign-metadata': [
    'note',
    'dropped',
    '{field} is metadata of {source}, such as an id or an echoed setting; it was omitted for {dialect}.',
  ],
  'response-metadata': [
    'note',
    'dropped',
    '{field} is not supported by {dialect}; the metadata was omitted.',
  ],
  'candidates-dropped': ['loss', 'dropped', '{field} was omitted: {dialect} has a single candidate.'],
  'late-correction': [
    'loss',
    'dropped',
    'A correction of {field} was omitted: {dialect} cannot retract content that was already streamed.',
  ],
  'finish-approximated': [
    'note',
    'downgraded',
    '{field} was replaced by the nearest finish reason of {dialect}.',
  ],
  'finish-synthesized': ['note', 'synthesized', '{field} was added: {dialect} requires a finish reason.'],
  'stop-sequence': ['loss', 'dropped', '{field} is not supported by {dialect}; it was omitted.'],
  'usage-detail': ['note', 'dropped', '{field} is not counted by {dialect}; it was omitted.'],
  'usage-total': ['note', 'dropped', '{field} was omitted: {dialect} has only the input and output counts.'],
  'reasoning-tokens': [
    'note',
    'downgraded',
    '{field} was lowered to the output tokens, its maximum in {dialect}.',
  ],
} as const
