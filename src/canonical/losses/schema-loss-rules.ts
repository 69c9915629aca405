/**
 * Loss rules of JSON Schemas. Spellings with the same meaning (a resolved reference, a merged `allOf`, `const` as an `enum`
 * of one) are not reported.
 */
export const schemaLossRules = {
  loss: {
    dropped: {
      'schema-keyword': '{field} is not supported by {dialect}; the constraint was omitted.',
      'schema-format': '{field} is not a format that {dialect} supports; it was omitted.',
      'schema-union': '{field} has too many combinations of alternatives for {dialect}; they were omitted.',
      'schema-never': '{field} accepts no value, which {dialect} cannot express; it was omitted.',
      'schema-open': '{field} was omitted: {dialect} does not support constraints on undeclared properties.',
      'schema-required': '{field} was omitted: {dialect} can require only declared properties.',
    },
    downgraded: {
      'schema-bound': '{field} was replaced by the nearest bound that {dialect} supports.',
      'schema-enum':
        '{field} was replaced by the type of its values: {dialect} does not support enums of that type.',
      'schema-alternatives':
        '{field} was merged into one object: {dialect} does not accept alternatives at the root of a tool schema.',
      'schema-one-of': '{field} was sent as anyOf: {dialect} does not support oneOf.',
      'schema-tuple':
        '{field} was sent as a list of any of its item types: {dialect} does not support tuples.',
      'schema-recursion':
        '{field} is recursive; it was expanded to 3 levels, below which {dialect} accepts any value.',
      'schema-ref':
        '{field} is a reference without a target; {dialect} receives a schema that accepts any value.',
      'schema-size': '{field} is too large for {dialect}; the rest of the schema was omitted.',
      'not-strict': '{field} was omitted: {dialect} does not support this schema as strict.',
      'not-strict-open':
        '{field} allows undeclared properties, so {dialect} receives the schema without strict mode.',
      'not-strict-any': '{field} accepts any value, so {dialect} receives the schema without strict mode.',
      'not-strict-recursion': '{field} is recursive, so {dialect} receives the schema without strict mode.',
      'not-strict-ref':
        '{field} is a reference without a target, so {dialect} receives the schema without strict mode.',
      'not-strict-root':
        '{field} is not an object at its root, so {dialect} receives the schema without strict mode.',
      'not-strict-size': '{field} is too large for strict mode, so {dialect} receives the schema without it.',
      'not-strict-never': '{field} accepts no value, so {dialect} receives the schema without strict mode.',
    },
  },
  note: {
    dropped: {
      'schema-annotation': '{field} is not supported by {dialect}; the annotation was omitted.',
      'schema-ineffective': '{field} constrains no value of its schema; it was omitted for {dialect}.',
    },
    downgraded: {
      'schema-enum-text': '{field} was sent with its numbers as text, as {dialect} requires.',
      'schema-optional':
        '{field} was made required and nullable: {dialect} has no optional properties in strict schemas.',
    },
    synthesized: {
      'schema-root': '{field} was sent as an object schema, which {dialect} requires for tools.',
      'schema-type': 'The type that its keywords imply was added to {field}: {dialect} requires a type.',
      'schema-closed':
        '{field} was closed to undeclared properties, as {dialect} requires for strict schemas.',
    },
  },
} as const
