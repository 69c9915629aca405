import type { Path } from '../wire/json-pointer.ts'

/** One issue of a value, and the keyword that found it. */
export interface EvaluatedIssue {
  readonly path: Path | undefined
  readonly keyword: string
  readonly message: string
}

/** A value inside of the validated value. */
export interface ValueLocation {
  readonly value: unknown
  readonly path: Path | undefined
  /** The outcome of each schema that was applied to it: a schema is evaluated once for each value. */
  readonly outcomes: Map<unknown, EvaluationOutcome | 'in progress'>
  readonly children: Map<string | number, ValueLocation>
}

/** The outcome of a schema for a value. */
export interface EvaluationOutcome {
  isValid: boolean
  /** The issues and the outcomes of other schemas, in their order. Outcomes may be shared, so issues are listed later. */
  readonly issues: (EvaluatedIssue | EvaluationOutcome)[]
  /** The keys of properties and items that a schema was applied to. */
  readonly evaluated: Set<string | number>
}

/** What keywords with subschemas need to evaluate them. */
export interface SubschemaEvaluator {
  countSteps(steps: number): void
  evaluate(schema: unknown, location: ValueLocation): EvaluationOutcome
  report(outcome: EvaluationOutcome, location: ValueLocation, keyword: string, message: string): void
  /** Adds an outcome that must be valid. `isSameValue`: what it evaluated counts for the schema that contains it. */
  require(part: EvaluationOutcome, whole: EvaluationOutcome, isSameValue?: boolean): void
  mergeEvaluated(part: EvaluationOutcome, whole: EvaluationOutcome): void
  /** Returns the location of a property or an item. */
  enter(location: ValueLocation, key: string | number): ValueLocation
}

export function createLocation(value: unknown, path: Path | undefined): ValueLocation {
  return { value, path, outcomes: new Map(), children: new Map() }
}

/** Lists the issues of an outcome; those of an outcome that occurs several times, once. */
export function listIssues(outcome: EvaluationOutcome): readonly EvaluatedIssue[] {
  const found: EvaluatedIssue[] = []
  const seen = new Set<EvaluationOutcome>()
  const visit = (each: EvaluationOutcome): void => {
    if (seen.has(each)) return
    seen.add(each)
    for (const issue of each.issues) {
      if ('keyword' in issue) found.push(issue)
      else visit(issue)
    }
  }
  visit(outcome)
  return found
}
