import { isObject } from '../wire/json.ts'
import { findNearestName } from '../wire/similar-names.ts'
import { isPatternChecked, type KeywordSchema, matchesPattern } from './schema-checks.ts'
import type { EvaluationOutcome, SubschemaEvaluator, ValueLocation } from './schema-outcome.ts'

/** Applies the keywords that contain other schemas. */
export function applySubschemas(
  schema: KeywordSchema,
  location: ValueLocation,
  outcome: EvaluationOutcome,
  evaluator: SubschemaEvaluator,
): void {
  applyLogic(schema, location, outcome, evaluator)
  if (Array.isArray(location.value)) applyToItems(schema, location, location.value, outcome, evaluator)
  else if (isObject(location.value)) applyToProperties(schema, location, location.value, outcome, evaluator)
}

function applyLogic(
  schema: KeywordSchema,
  location: ValueLocation,
  outcome: EvaluationOutcome,
  evaluator: SubschemaEvaluator,
): void {
  const { not, allOf, anyOf, oneOf, if: condition } = schema
  for (const part of toList(allOf)) evaluator.require(evaluator.evaluate(part, location), outcome, true)
  for (const [keyword, branches] of [
    ['anyOf', anyOf],
    ['oneOf', oneOf],
  ] as const) {
    if (!Array.isArray(branches)) continue
    const outcomes = toList(branches).map((branch) => evaluator.evaluate(branch, location))
    const valid = outcomes.filter(({ isValid }) => isValid)
    if (valid.length === 0) {
      evaluator.report(outcome, location, keyword, 'The value matches none of the alternatives.')
      for (const each of outcomes) outcome.issues.push(each)
    } else if (keyword === 'oneOf' && valid.length > 1)
      evaluator.report(outcome, location, keyword, 'The value matches several alternatives.')
    for (const each of valid) evaluator.mergeEvaluated(each, outcome)
  }
  if (not !== undefined && evaluator.evaluate(not, location).isValid)
    evaluator.report(outcome, location, 'not', 'The value matches a schema that is excluded.')
  if (condition === undefined) return
  const tested = evaluator.evaluate(condition, location)
  if (tested.isValid) evaluator.mergeEvaluated(tested, outcome)
  const consequence = tested.isValid ? schema['then'] : schema['else']
  if (consequence !== undefined) evaluator.require(evaluator.evaluate(consequence, location), outcome, true)
}

function applyToItems(
  schema: KeywordSchema,
  location: ValueLocation,
  value: readonly unknown[],
  outcome: EvaluationOutcome,
  evaluator: SubschemaEvaluator,
): void {
  const { items, prefixItems, additionalItems, contains, unevaluatedItems } = schema
  // Older drafts have a list of schemas in `items`, and `additionalItems` for the rest.
  const isTuple = Array.isArray(items)
  const first = toList(isTuple ? items : prefixItems)
  const rest = isTuple ? additionalItems : items
  for (let index = 0; index < value.length; index++) {
    const itemSchema = index < first.length ? first[index] : rest
    if (itemSchema === undefined) break
    applyToKey(itemSchema, location, index, outcome, evaluator)
  }
  if (contains !== undefined) {
    const { minContains = 1, maxContains = Infinity } = schema
    const found = value.flatMap((_item, index) =>
      evaluator.evaluate(contains, evaluator.enter(location, index)).isValid ? [index] : [],
    )
    if (found.length < Number(minContains) || found.length > Number(maxContains))
      evaluator.report(outcome, location, 'contains', `${found.length} items match \`contains\`.`)
    for (const index of found) outcome.evaluated.add(index)
  }
  if (unevaluatedItems === undefined) return
  for (let index = 0; index < value.length; index++)
    if (!outcome.evaluated.has(index)) applyToKey(unevaluatedItems, location, index, outcome, evaluator)
}

function applyToProperties(
  schema: KeywordSchema,
  location: ValueLocation,
  value: { readonly [name: string]: unknown },
  outcome: EvaluationOutcome,
  evaluator: SubschemaEvaluator,
): void {
  const { required, propertyNames, additionalProperties, unevaluatedProperties } = schema
  requireProperties(toList(required), 'required', location, value, outcome, evaluator)
  applyDependencies(schema, location, value, outcome, evaluator)
  const names = Object.keys(value)
  if (propertyNames !== undefined) {
    for (const name of names) {
      const inner = { value: name, path: location.path, outcomes: new Map(), children: new Map() }
      evaluator.require(evaluator.evaluate(propertyNames, inner), outcome)
    }
  }
  const properties = toSchemas(schema['properties'])
  const patterns = Object.entries(toSchemas(schema['patternProperties']))
  const undeclared: string[] = []
  for (const name of names) {
    const isDeclared = Object.hasOwn(properties, name)
    if (isDeclared) applyToKey(properties[name], location, name, outcome, evaluator)
    const matching = patterns.filter(([pattern]) =>
      matchesPattern(pattern, name, (steps) => evaluator.countSteps(steps)),
    )
    // A pattern that is not checked may be meant for this key or for another one.
    for (const [pattern, propertySchema] of matching)
      applyToKey(isPatternChecked(pattern) ? propertySchema : true, location, name, outcome, evaluator)
    if (!isDeclared && matching.length === 0) undeclared.push(name)
  }
  if (additionalProperties === false) {
    for (const name of undeclared)
      evaluator.report(
        outcome,
        evaluator.enter(location, name),
        'additionalProperties',
        describeUnknownProperty(name, Object.keys(properties)),
      )
  } else if (additionalProperties !== undefined)
    for (const name of undeclared) applyToKey(additionalProperties, location, name, outcome, evaluator)
  if (unevaluatedProperties === undefined) return
  for (const name of names)
    if (!outcome.evaluated.has(name)) applyToKey(unevaluatedProperties, location, name, outcome, evaluator)
}

/** The name itself is in the path of the issue. */
function describeUnknownProperty(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known)
  return nearest === undefined ? 'The property is unknown.' : `The property is unknown; use "${nearest}".`
}

function applyDependencies(
  schema: KeywordSchema,
  location: ValueLocation,
  value: { readonly [name: string]: unknown },
  outcome: EvaluationOutcome,
  evaluator: SubschemaEvaluator,
): void {
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies'] as const) {
    for (const [name, dependency] of Object.entries(toSchemas(schema[keyword]))) {
      if (!Object.hasOwn(value, name)) continue
      if (Array.isArray(dependency))
        requireProperties(toList(dependency), keyword, location, value, outcome, evaluator)
      else if (keyword !== 'dependentRequired')
        evaluator.require(evaluator.evaluate(dependency, location), outcome, true)
    }
  }
}

function requireProperties(
  names: readonly unknown[],
  keyword: string,
  location: ValueLocation,
  value: { readonly [name: string]: unknown },
  outcome: EvaluationOutcome,
  evaluator: SubschemaEvaluator,
): void {
  evaluator.countSteps(names.length)
  for (const name of names)
    if (typeof name === 'string' && !Object.hasOwn(value, name))
      evaluator.report(outcome, location, keyword, `The property ${JSON.stringify(name)} is missing.`)
}

/** Applies a schema to a property or an item. */
function applyToKey(
  schema: unknown,
  location: ValueLocation,
  key: string | number,
  outcome: EvaluationOutcome,
  evaluator: SubschemaEvaluator,
): void {
  evaluator.countSteps(1)
  evaluator.require(evaluator.evaluate(schema, evaluator.enter(location, key)), outcome)
  outcome.evaluated.add(key)
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function toSchemas(value: unknown): { readonly [name: string]: unknown } {
  return isObject(value) ? value : {}
}
