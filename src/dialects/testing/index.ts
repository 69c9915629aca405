import { withTypedErrors } from '../../wire/typed-errors.ts'
import type { ConformanceCheck } from './conformance-check.ts'
import { listContractChecks } from './contract-checks.ts'
import { listEditChecks } from './edit-checks.ts'
import { listExactChecks } from './exact-checks.ts'
import { listGrowthChecks } from './growth-checks.ts'
import { listHostileInputChecks } from './hostile-input-checks.ts'
import type { LawName } from './law-table.ts'
import { listLossChecks } from './loss-checks.ts'
import { type ConformanceReport, type ConformanceResult, createReport } from './conformance-report.ts'
import { listStreamContentChecks } from './stream-content-checks.ts'
import { listStreamTransportChecks } from './stream-transport-checks.ts'
import { type DialectUnderTest, readSubject, type Subject } from './conformance-subject.ts'
import { listTranslationChecks } from './translation-checks.ts'
import { listValidityChecks } from './validity-checks.ts'

export { ConformanceError } from './conformance-error.ts'
export type { LawName } from './law-table.ts'
export type { ConformanceReport, ConformanceResult } from './conformance-report.ts'
export type {
  BodyValidator,
  DialectSamples,
  DialectUnderTest,
  DialectValidators,
  NamedSamples,
} from './conformance-subject.ts'

/** A test; rejects with a {@link ConformanceError} if the dialect breaks a law. */
export interface DialectConformanceTest {
  /** The law and what is checked: `exact: request "hello" is encoded as it was received`. */
  readonly name: string
  readonly law: LawName
  readonly run: () => Promise<void>
}

/**
 * Returns the tests that every dialect must pass, for any test runner. They need no network and no keys, and the same seed
 * gives the same tests.
 *
 * @example
 * const samples = { requests: { hello: requestBody }, responses: { hello: responseBody }, streams: { hello: streamText } }
 * for (const { name, run } of dialectConformanceTests({ dialect: acmeDialect, samples })) test(name, run)
 */
export function dialectConformanceTests(subject: DialectUnderTest): readonly DialectConformanceTest[] {
  return withTypedErrors(() => createTests(readSubject(subject)))
}

/**
 * Runs the tests that every dialect must pass, and returns a report in plain words: which law is broken, by which sample,
 * at which path, and which hook of the codec is the likely cause.
 *
 * @example
 * const report = await runDialectConformance({ dialect: acmeDialect, samples })
 * if (!report.passed) console.log(report.text)
 */
export async function runDialectConformance(subject: DialectUnderTest): Promise<ConformanceReport> {
  const checked = withTypedErrors(() => readSubject(subject))
  const results: ConformanceResult[] = []
  const tests = withTypedErrors(() => createTests(checked))
  for (const { name, law, run } of tests) {
    try {
      await run()
      results.push({ name, law })
    } catch (error) {
      results.push({ name, law, error: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return createReport(String(checked.dialect.name), results, listSkipped(checked))
}

function createTests(subject: Subject): readonly DialectConformanceTest[] {
  const checks: readonly ConformanceCheck[] = [
    ...listContractChecks(subject),
    ...listExactChecks(subject),
    ...listEditChecks(subject),
    ...listLossChecks(subject),
    ...listTranslationChecks(subject),
    ...listValidityChecks(subject),
    ...listStreamContentChecks(subject),
    ...listStreamTransportChecks(subject),
    ...listHostileInputChecks(subject),
    ...listGrowthChecks(subject),
  ]
  const selected = checks.filter(({ law }) => subject.laws.includes(law))
  return selected.map(({ law, title, run }) => ({
    name: `${law}: ${title}`,
    law,
    run: async () => {
      await run()
    },
  }))
}

/** What each validator is needed for. */
const VALIDATED_BODIES = {
  request: 'the validity of requests',
  response: 'the validity of responses',
  streamPayload: 'the validity of the payloads of streams',
} as const

/** Lists what cannot be tested with what the caller passed in. */
function listSkipped({ streams, validate, laws }: Subject): readonly string[] {
  const missing = Object.entries(VALIDATED_BODIES).filter(
    ([key]) => validate[key as keyof typeof VALIDATED_BODIES] === undefined,
  )
  return [
    ...(streams.length === 0 ? ['the exactness of received streams: pass `samples.streams`'] : []),
    ...(laws.includes('valid') ? missing.map(([key, name]) => `${name}: pass \`validate.${key}\``) : []),
  ]
}
