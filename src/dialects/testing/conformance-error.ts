import { InterlinguaError } from '../../errors.ts'
import { isEqualJson } from '../../wire/json.ts'
import { type CheckedBodyKind, getLikelyHook, type LawName, LAWS } from './law-table.ts'

/** The details of a broken law. */
export interface ConformanceErrorDetails {
  readonly law: LawName
  readonly kind: CheckedBodyKind
  /** The value that was translated, such as `request "with tools"`. */
  readonly subject: string
  /** A sentence that describes the failure. */
  readonly problem: string
  /** JSON pointer to the value, in the wire body or in the canonical value, as `problem` says. */
  readonly path?: string
  readonly found?: unknown
  readonly expected?: unknown
  /** Advice, if it differs from that of the law. */
  readonly advice?: string
  readonly cause?: unknown
}

/** A description, which is printed without quotes, unlike a text of the body. */
class Description {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Marks a text that describes what was found or expected. */
export function createDescription(text: string): Description {
  return new Description(text)
}

/** The longest text of a value in a message. */
const MAX_VALUE_CHARS = 300

/**
 * The error of a test whose law the dialect breaks. Its message names the law, the sample, the path, what was found and
 * expected, and the hook of the codec that is the likely cause.
 *
 * @example
 * try {
 *   await run()
 * } catch (error) {
 *   if (error instanceof ConformanceError) console.log(error.law, error.path, error.hook)
 * }
 */
export class ConformanceError extends Error {
  override readonly name: string = 'ConformanceError'
  readonly law: LawName
  readonly subject: string
  readonly path: string | undefined
  readonly found: string | undefined
  readonly expected: string | undefined
  /** The hook of the codec that is the likely cause. */
  readonly hook: string

  constructor(details: ConformanceErrorDetails) {
    const { law, kind, subject, problem, path } = details
    const hook = getLikelyHook(law, kind)
    const found = 'found' in details ? formatValue(details.found) : undefined
    const expected = 'expected' in details ? formatValue(details.expected) : undefined
    const rows = [
      ['law', LAWS[law].statement],
      ['path', path === '' ? "'' (the whole value)" : path],
      ['found', found],
      ['expected', expected],
      ['likely in', hook],
      ['what to do', details.advice ?? LAWS[law].advice],
    ] as const
    const lines = rows.flatMap(([label, value]) =>
      value === undefined ? [] : [`  ${`${label}:`.padEnd(12)}${value}`],
    )
    super([`${subject}: ${problem}`, ...lines].join('\n'), 'cause' in details ? { cause: details.cause } : {})
    this.law = law
    this.subject = subject
    this.path = path
    this.found = found
    this.expected = expected
    this.hook = hook
  }
}

/** Returns a value as short text; an absent key is `nothing`. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value instanceof Description) return value.text
  if (value instanceof Error) return `${value.name}: ${value.message}`
  const text = toJsonText(value)
  return text.length > MAX_VALUE_CHARS
    ? `${text.slice(0, MAX_VALUE_CHARS)}… (${text.length} characters)`
    : text
}

function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

/** Describes what an operation threw, and where, if the codec failed with an error that it did not expect. */
export function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`
  const isTyped = error instanceof InterlinguaError
  if (isTyped && error.code !== 'internal') return `${error.name} ${error.code}: ${error.message}`
  const origin = isTyped && error.cause instanceof Error ? error.cause : error
  const [frame = ''] = /^\s+at .*$/m.exec(origin.stack ?? '') ?? []
  const text = isTyped ? `a ${origin.message}` : `${error.name}: ${error.message}`
  return frame === '' ? text : `${text} ${frame.trim()}`
}

/** The first difference between two JSON values. */
interface JsonDifference {
  readonly path: string
  readonly found: unknown
  readonly expected: unknown
}

/** Returns the first difference between two JSON values, or undefined. The order of keys does not count. */
export function findDifference(found: unknown, expected: unknown, path = ''): JsonDifference | undefined {
  if (isEqualJson(found, expected)) return undefined
  const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null
  if (!isNested(found) || !isNested(expected) || Array.isArray(found) !== Array.isArray(expected))
    return { path, found, expected }
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)])
  for (const key of keys) {
    const childPath = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const [left, right] = [found, expected].map((each) =>
      Object.hasOwn(each, key) ? (each as Record<string, unknown>)[key] : undefined,
    )
    if (left === undefined && right === undefined) continue
    const difference = findDifference(left, right, childPath)
    if (difference !== undefined) return difference
  }
  return { path, found, expected }
}
