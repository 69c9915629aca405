import { type ErrorCode, InterlinguaError } from '../errors.ts'
import { omitUndefined, describeType } from './json.ts'

/** Refuses settings that are no numbers, or too small to mean something: comparing with them would lift a limit in silence. */
export function assertNumericSettings(
  path: string,
  numbers: { readonly [name: string]: unknown },
  minimum = 0,
): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined || (typeof value === 'number' && value >= minimum)) continue
    throw new InterlinguaError('invalid-value', `The setting '${name}' is not a number that can be used`, {
      path: `${path}/${name}`,
      found: typeof value === 'number' ? String(value) : describeType(value),
      expected: `a number from ${minimum} on`,
      hint: 'Leave it out to get the default, or give Infinity where there is to be no limit.',
    })
  }
}

/** How much of a stream is accepted, in characters (UTF-16 units); what goes beyond is refused as soon as it does. */
export interface StreamLimits {
  /** One line of SSE or NDJSON; 32 Mi unless told. */
  readonly maxLineChars?: number
  /** One SSE event (all its lines, comments aside) or one element of a JSON array; 32 Mi unless told. */
  readonly maxEventChars?: number
  /** The whole stream; 256 Mi unless told. */
  readonly maxTotalChars?: number
  /** The arguments of one tool call, over all its pieces; 32 Mi unless told. */
  readonly maxArgumentsChars?: number
}

const MEBI = 1024 * 1024

/** Room for an answer full of images; an endless one ends here. */
const DEFAULT_LIMITS: Required<StreamLimits> = {
  maxLineChars: 32 * MEBI,
  maxEventChars: 32 * MEBI,
  maxTotalChars: 256 * MEBI,
  maxArgumentsChars: 32 * MEBI,
}

/**
 * Fills in what was not given. `Infinity` lifts a limit; what is not a positive number is refused, for comparing with
 * it would lift the limit in silence.
 *
 * @example
 * resolveLimits({ maxLineChars: 1000 }).maxEventChars // 33554432
 */
export function resolveLimits(limits: StreamLimits = {}): Required<StreamLimits> {
  const resolved = { ...DEFAULT_LIMITS, ...omitUndefined(limits) }
  for (const [name, value] of Object.entries(resolved)) {
    if (typeof value === 'number' && value > 0) continue
    throw new InterlinguaError('invalid-value', `The limit '${name}' is not a positive number`, {
      path: `/${name}`,
      expected: 'a positive number of characters',
      hint: 'Leave the limit out to get the default, or give Infinity to lift it.',
    })
  }
  return resolved
}

type LimitErrorCode = Extract<
  ErrorCode,
  'line-too-long' | 'event-too-large' | 'stream-too-large' | 'arguments-too-large'
>

const LIMIT_SUBJECTS: {
  readonly [code in LimitErrorCode]: readonly [subject: string, limit: keyof StreamLimits]
} = {
  'line-too-long': ['A line is', 'maxLineChars'],
  'event-too-large': ['An event is', 'maxEventChars'],
  'stream-too-large': ['The stream is', 'maxTotalChars'],
  'arguments-too-large': ['The arguments of a call are', 'maxArgumentsChars'],
}

/**
 * The error for what went beyond a limit.
 *
 * @example
 * if (length > limits.line) throw tooLarge('line-too-long', limits.line)
 */
export function createLimitError(code: LimitErrorCode, limit: number): InterlinguaError {
  const [subject, name] = LIMIT_SUBJECTS[code]
  return new InterlinguaError(code, `${subject} longer than ${limit} characters`, {
    found: `more than ${limit} characters`,
    expected: `at most ${limit} characters`,
    hint: `Raise limits.${name} if you trust the sender.`,
  })
}
