import { type ErrorCode, InterlinguaError } from '../errors.ts'
import { describeType, type Json, MAX_JSON_DEPTH, omitUndefined } from './json.ts'

/**
 * Throws for a setting that is not a number or is below the minimum: a comparison with it would silently
 * disable a limit.
 */
export function assertNumericSettings(
  path: string,
  numbers: { readonly [name: string]: unknown },
  minimum = 0,
): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined || (typeof value === 'number' && value >= minimum)) continue
    throw new InterlinguaError('invalid-value', `The setting '${name}' is not a valid number`, {
      path: `${path}/${name}`,
      found: typeof value === 'number' ? String(value) : describeType(value),
      expected: `a number of at least ${minimum}`,
      hint: 'Omit the setting to use its default, or pass Infinity for no limit.',
    })
  }
}

/** The limits on the number of elements of a response, a stream or a request. */
export interface ElementLimits {
  /** Candidates (choices). Default: 128. */
  readonly maxCandidates?: number
  /** Parts of one message; of a stream, of all its messages. Default: 10,000. */
  readonly maxParts?: number
  /** Tool calls of one message; of a stream, of all its messages. Default: 1,000. */
  readonly maxToolCalls?: number
  /** Citations of one part. Default: 10,000. */
  readonly maxCitations?: number
  /** Tools of a request. Default: 10,000. */
  readonly maxTools?: number
  /** Events of a stream that contain neither content nor usage. Default: 100,000. */
  readonly maxEmptyEvents?: number
}

/** The limits of a stream. Sizes are in characters (UTF-16 units). A stream that exceeds one is rejected at once. */
export interface StreamLimits extends ElementLimits {
  /** One line of SSE or NDJSON. Default: 32 Mi. */
  readonly maxLineChars?: number
  /** One SSE event (all its lines, without comments) or one element of a JSON array. Default: 32 Mi. */
  readonly maxEventChars?: number
  /** The complete stream. Default: 256 Mi. */
  readonly maxTotalChars?: number
  /** The arguments of one tool call, over all its deltas. Default: 32 Mi. */
  readonly maxArgumentsChars?: number
}

const MEBI = 1024 * 1024

/** Large enough for a response full of images; an endless response is rejected. */
const DEFAULT_LIMITS: Required<StreamLimits> = Object.freeze({
  maxCandidates: 128,
  maxParts: 10_000,
  maxToolCalls: 1_000,
  maxCitations: 10_000,
  maxTools: 10_000,
  maxEmptyEvents: 100_000,
  maxLineChars: 32 * MEBI,
  maxEventChars: 32 * MEBI,
  maxTotalChars: 256 * MEBI,
  maxArgumentsChars: 32 * MEBI,
})

/**
 * Fills in the defaults. `Infinity` disables a limit; a value that is not a positive number is rejected,
 * since a comparison with it would silently disable the limit.
 *
 * @example
 * resolveLimits({ maxLineChars: 1000 }).maxEventChars // 33554432
 */
export function resolveStreamLimits(limits?: StreamLimits): Required<StreamLimits> {
  if (limits === undefined) return DEFAULT_LIMITS
  const resolved = { ...DEFAULT_LIMITS, ...omitUndefined(limits) }
  for (const [name, value] of Object.entries(resolved)) {
    if (typeof value === 'number' && value > 0) continue
    throw new InterlinguaError('invalid-value', `The limit '${name}' is not a positive number`, {
      path: `/${name}`,
      expected: 'a positive number',
      hint: 'Omit the limit to use its default, or pass Infinity to disable it.',
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
  'arguments-too-large': ['The arguments of a tool call are', 'maxArgumentsChars'],
}

/**
 * Creates the error of an exceeded limit.
 *
 * @example
 * if (length > maxLineChars) throw createLimitError('line-too-long', maxLineChars)
 */
export function createLimitError(code: LimitErrorCode, limit: number): InterlinguaError {
  const [subject, name] = LIMIT_SUBJECTS[code]
  return new InterlinguaError(code, `${subject} longer than ${limit} characters`, {
    found: `more than ${limit} characters`,
    expected: `at most ${limit} characters`,
    hint: `Raise limits.${name} if you trust the source of the stream.`,
  })
}

const ELEMENT_NAMES: { readonly [limit in keyof Required<ElementLimits>]: string } = {
  maxCandidates: 'candidates',
  maxParts: 'parts',
  maxToolCalls: 'tool calls',
  maxCitations: 'citations',
  maxTools: 'tools',
  maxEmptyEvents: 'events without content',
}

/**
 * Throws if there are more elements than a limit allows.
 *
 * @example
 * assertElementCount('maxToolCalls', calls.length, resolveStreamLimits(limits), '/choices/0/message/tool_calls')
 */
export function assertElementCount(
  name: keyof ElementLimits,
  count: number,
  limits: Required<ElementLimits>,
  path?: string,
): void {
  const limit = limits[name]
  if (count <= limit) return
  const elements = ELEMENT_NAMES[name]
  throw new InterlinguaError('too-many-elements', `There are more than ${limit} ${elements}`, {
    ...(path !== undefined && { path }),
    found: `${count} ${elements}`,
    expected: `at most ${limit} ${elements}`,
    hint: `Raise limits.${name} if you trust the source.`,
  })
}

/**
 * Returns a payload of a stream; throws if it nests too deep for the functions that read it. The text it was parsed from shows
 * for most payloads that they cannot: each level takes two characters.
 */
export function checkPayloadDepth<T extends Json | undefined>(payload: T, text: string): T {
  if (text.length > 2 * MAX_JSON_DEPTH && isTooDeep(payload)) throw createPayloadDepthError()
  return payload
}

/** Returns true for a value that nests deeper than untrusted JSON may. */
export function isTooDeep(value: unknown, levels: number = MAX_JSON_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isTooDeep(item, levels - 1)) return true
    return false
  }
  // Allocates nothing: most payloads of a stream are checked.
  for (const key in value)
    if (isTooDeep((value as { readonly [key: string]: unknown })[key], levels - 1)) return true
  return false
}

/** Creates the error for a payload that nests too deep. */
export function createPayloadDepthError(): InterlinguaError {
  return new InterlinguaError(
    'too-deep',
    `An element of the stream nests deeper than ${MAX_JSON_DEPTH} levels`,
    {
      found: `more than ${MAX_JSON_DEPTH} levels`,
      expected: `at most ${MAX_JSON_DEPTH} levels`,
      hint: 'No provider sends JSON this deep: check where the stream comes from.',
    },
  )
}
