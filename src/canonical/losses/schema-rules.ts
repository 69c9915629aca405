/**
 * Loss rules of JSON Schemas. Spellings with the same meaning (a resolved reference, a merged `allOf`, `const` as an `enum`
 * of one) are not reported.
 */
export const schemaRules = {
  'schema-keyword': ['loss', 'dropped', '{field} is not supported by {dialect}; the constraint was omitted.'],
  'schema-annotation': [
    'note',
    'dropped',
    '{field} is not supported by {dialect}; the annotation was omitted.',
  ],
  'schema-ineffective': [
    'note',
    'dropped',
    '{field} constrains no value of its schema; it was omitted for {dialect}.',
  ],
  'schema-format': ['loss', 'dropped', '{field} is not a format that {dialect} supports; it was omitted.'],
  'schema-bound': [
    'loss',
    'downgraded',
    '{field} was replaced by the nearest bound that {dialect} supports.',
  ],
  'schema-enum': [
    'loss',
    'downgraded',
    '{field} was replaced by the type of its values: {dialect} does not support enums of that type.',
  ],
  'schema-enum-text': [
    'note',
    'downgraded',
    '{field} was sent with its numbers as text, as {dialect} requires.',
  ],
  'schema-one-of': ['loss', 'downgraded', '{field} was sent as anyOf: {dialect} does not support oneOf.'],
  'schema-tuple': [
    'loss',
    'downgraded',
    '{field} was sent as a list of any of its item types: {dialect} does not support tuples.',
  ],
  'schema-recursion': [
    'loss',
    'downgraded',
    '{field} is recursive; it was expanded to 3 levels, below which {dialect} accepts any value.',
  ],
  'schema-ref': [
    'loss',
    'downgraded',
    '{field} is a reference without a target; {dialect} receives a schema that accepts any value.',
  ],
  'schema-size': [
    'loss',
    'downgraded',
    '{field} is too large for {dialect}; the rest of the schema was omitted.',
  ],
  'schema-union': [
    'loss',
    'dropped',
    '{field} has too many combinations of alternatives for {dialect}; they were omitted.',
  ],
  'schema-never': [
    'loss',
    'dropped',
    '{field} accepts no value, which {dialect} cannot express; it was omitted.',
  ],
  'schema-open': [
    'loss',
    'dropped',
    '{field} was omitted: {dialect} does not support constraints on undeclared properties.',
  ],
  'schema-required': [
    'loss',
    'dropped',
    '{field} was omitted: {dialect} can require only declared properties.',
  ],
  'schema-root': [
    'note',
    'synthesized',
    '{field} was sent as an object schema, which {dialect} requires for tools.',
  ],
  'schema-type': [
    'note',
    'synthesized',
    'The type that its keywords imply was added to {field}: {dialect} requires a type.',
  ],
  'schema-closed': [
    'note',
    'synthesized',
    '{field} was closed to undeclared properties, as {dialect} requires for strict schemas.',
  ],
  'schema-optional': [
    'note',
    'downgraded',
    '{field} was made required and nullable: {dialect} has no optional properties in strict schemas.',
  ],
  'not-strict': [
    'loss',
    'downgraded',
    '{field} was omitted: {dialect} does not support this schema as strict.',
  ],
  'not-strict-open': [
    'loss',
    'downgraded',
    '{field} allows undeclared properties, so {dialect} receives the schema without strict mode.',
  ],
  'not-strict-any': [
    'loss',
    'downgraded',
    '{field} accepts any value, so {dialect} receives the schema without strict mode.',
  ],
  'not-strict-recursion': [
    'loss',
    'downgraded',
    '{field} is recursive, so {dialect} receives the schema without strict mode.',
  ],
  'not-strict-ref': [
    'loss',
    'downgraded',
    '{field} is a reference without a target, so {dialect} receives the schema without strict mode.',
  ],
  'not-strict-root': [
    'loss',
    'downgraded',
    '{field} is not an object at its root, so {dialect} receives the schema without strict mode.',
  ],
  'not-strict-size': [
    'loss',
    'downgraded',
    '{field} is too large for strict mode, so {dialect} receives the schema without it.',
  ],
  'not-strict-never': [
    'loss',
    'downgraded',
    '{field} accepts no value, so {dialect} receives the schema without strict mode.',
  ],
} as const
