import { type ErrorCode, InterlinguaError } from '../errors.ts'

/** How much of a stream is accepted, in characters (UTF-16 units); what goes beyond is refused as soon as it does. */
export interface StreamLimits {
  /** One line of SSE or NDJSON; 32 Mi unless told. */
  readonly line?: number
  /** One SSE event (all its lines, comments aside) or one element of a JSON array; 32 Mi unless told. */
  readonly event?: number
  /** The whole stream; 256 Mi unless told. */
  readonly total?: number
  /** The arguments of one tool call, over all its pieces; 32 Mi unless told. */
  readonly arguments?: number
}

const MEBI = 1024 * 1024

/** Room for an answer full of images; an endless one ends here. */
const DEFAULTS: Required<StreamLimits> = {
  line: 32 * MEBI,
  event: 32 * MEBI,
  total: 256 * MEBI,
  arguments: 32 * MEBI,
}

/**
 * Fills in what was not given. `Infinity` lifts a limit; what is not a positive number is refused, for comparing with
 * it would lift the limit in silence.
 *
 * @example
 * resolveLimits({ line: 1000 }) // { line: 1000, event: 33554432, total: 268435456, arguments: 33554432 }
 */
export function resolveLimits(limits: StreamLimits = {}): Required<StreamLimits> {
  const { line = DEFAULTS.line, event = DEFAULTS.event, total = DEFAULTS.total } = limits
  const resolved = { line, event, total, arguments: limits.arguments ?? DEFAULTS.arguments }
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

type LimitCode = Extract<
  ErrorCode,
  'line-too-long' | 'event-too-large' | 'stream-too-large' | 'arguments-too-large'
>

const subjects: { readonly [code in LimitCode]: readonly [subject: string, limit: keyof StreamLimits] } = {
  'line-too-long': ['A line is', 'line'],
  'event-too-large': ['An event is', 'event'],
  'stream-too-large': ['The stream is', 'total'],
  'arguments-too-large': ['The arguments of a call are', 'arguments'],
}

/**
 * The error for what went beyond a limit.
 *
 * @example
 * if (length > limits.line) throw tooLarge('line-too-long', limits.line)
 */
export function tooLarge(code: LimitCode, limit: number): InterlinguaError {
  const [subject, name] = subjects[code]
  return new InterlinguaError(code, `${subject} longer than ${limit} characters`, {
    found: `more than ${limit} characters`,
    expected: `at most ${limit} characters`,
    hint: `Raise limits.${name} if you trust the sender.`,
  })
}
