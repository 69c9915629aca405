import type { Loss } from '../canonical/model/loss.ts'

type SchemaRule = Omit<Loss, 'path' | 'rule'>

function loss(action: Loss['action'], reason: string): SchemaRule {
  return { action, severity: 'loss', reason }
}

function note(action: Loss['action'], reason: string): SchemaRule {
  return { action, severity: 'note', reason }
}

/** The id of a rule about schemas. */
export type SchemaRuleId =
  | 'schema-keyword'
  | 'schema-annotation'
  | 'schema-idle'
  | 'schema-format'
  | 'schema-bound'
  | 'schema-enum'
  | 'schema-enum-text'
  | 'schema-one-of'
  | 'schema-tuple'
  | 'schema-recursion'
  | 'schema-ref'
  | 'schema-size'
  | 'schema-union'
  | 'schema-never'
  | 'schema-open'
  | 'schema-required'
  | 'schema-type'
  | 'schema-closed'
  | 'schema-optional'
  | 'not-strict-open'
  | 'not-strict-any'
  | 'not-strict-recursion'
  | 'not-strict-ref'
  | 'not-strict-root'
  | 'not-strict-size'
  | 'not-strict-never'

/** How often a schema may stand inside itself where recursion has to be written out. */
export const UNROLLED = 3

/**
 * Everything that may happen to a schema on its way to a provider. Spellings with the very same meaning (a reference
 * written out, `allOf` merged, `const` as an `enum` of one) are not listed and not reported.
 */
export const schemaLosses: { readonly [rule in SchemaRuleId]: SchemaRule } = {
  'schema-keyword': loss('dropped', 'This constraint cannot be said here'),
  'schema-annotation': note('dropped', 'This remark about the schema cannot be said here'),
  'schema-idle': note('dropped', 'This says nothing of any value that the schema is about'),
  'schema-format': loss('dropped', 'This format is not known here'),
  'schema-bound': loss('downgraded', 'The nearest bound that can be said is asked for'),
  'schema-enum': loss('downgraded', 'Values of this kind cannot be listed here: all of their type will do'),
  'schema-enum-text': note('downgraded', 'Listed numbers are written as text here'),
  'schema-one-of': loss('downgraded', 'That only one alternative may hold is not said: one of them must'),
  'schema-tuple': loss(
    'downgraded',
    'The places of a list cannot be told apart here: each may be any of them',
  ),
  'schema-recursion': loss(
    'downgraded',
    `A schema inside itself ends after ${UNROLLED} levels: below, anything goes`,
  ),
  'schema-ref': loss('downgraded', 'The reference leads nowhere: anything goes'),
  'schema-size': loss('downgraded', 'The schema is too large: what is left of it is not said'),
  'schema-union': loss('dropped', 'These alternatives multiply with others: they are not said'),
  'schema-never': loss('dropped', 'What nothing can satisfy cannot be said here'),
  'schema-open': loss('dropped', 'What undeclared properties may be cannot be said here'),
  'schema-required': loss('dropped', 'Only declared properties can be required here'),
  'schema-type': note('synthesized', 'A schema needs a type here: the one that its keywords imply'),
  'schema-closed': note('synthesized', 'Objects must forbid undeclared properties here'),
  'schema-optional': note('downgraded', 'Every property is required here: an optional one may be null'),
  'not-strict-open': loss('downgraded', 'An object of any properties cannot be strict: the schema is advice'),
  'not-strict-any': loss('downgraded', 'A value of any kind cannot be strict: the schema is advice'),
  'not-strict-recursion': loss(
    'downgraded',
    'A schema inside itself cannot be strict here: the schema is advice',
  ),
  'not-strict-ref': loss(
    'downgraded',
    'A reference that leads nowhere cannot be strict: the schema is advice',
  ),
  'not-strict-root': loss('downgraded', 'Only an object at the root can be strict: the schema is advice'),
  'not-strict-size': loss('downgraded', 'The schema is too large to be strict: it is advice'),
  'not-strict-never': loss('downgraded', 'What nothing can satisfy cannot be strict: the schema is advice'),
}
