import type { DecodeOptions } from '../engine/dialect.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Loss, Translation } from '../../canonical/model/loss.ts'
import type { JsonObject } from '../../wire/json.ts'
import {
  ConformanceError,
  type ConformanceErrorDetails,
  describeThrown,
  findDifference,
  createDescription,
} from './conformance-error.ts'
import { isAtOrAbove } from './json-leaves.ts'
import type { CheckedBodyKind, LawName } from './law-table.ts'
import { FIXED_IDENTITY, type NamedBody, type Subject } from './conformance-subject.ts'

/** A test of one law. */
export interface ConformanceCheck {
  readonly law: LawName
  /** What is checked, without the name of the law. */
  readonly title: string
  readonly run: () => void | Promise<void>
}

/** Decodes and encodes the requests of a dialect, or its responses. */
export interface BodyTranslator {
  readonly kind: 'request' | 'response'
  readonly samples: readonly NamedBody[]
  decode(body: unknown, options?: DecodeOptions): unknown
  encode(value: unknown): Translation<JsonObject>
}

const knownTranslators = new WeakMap<Subject, readonly BodyTranslator[]>()

/** Returns the translators of requests and of responses, the same ones for all laws. */
export function getTranslators(subject: Subject): readonly BodyTranslator[] {
  const known = knownTranslators.get(subject) ?? createTranslators(subject)
  knownTranslators.set(subject, known)
  return known
}

function createTranslators({ dialect, requests, responses }: Subject): readonly BodyTranslator[] {
  return [
    {
      kind: 'request',
      samples: requests,
      decode: (body, options) => dialect.decodeRequest(body, { ...FIXED_IDENTITY, ...options }).value,
      encode: (value) => dialect.encodeRequest(value as ChatRequest, { now: FIXED_IDENTITY.now }),
    },
    {
      kind: 'response',
      samples: responses,
      decode: (body, options) => dialect.decodeResponse(body, { ...FIXED_IDENTITY, ...options }).value,
      encode: (value) => dialect.encodeResponse(value as ChatResponse, { now: FIXED_IDENTITY.now }),
    },
  ]
}

/** What a failure is about: the fields that all failures of one check share. */
export type CheckContext = Pick<ConformanceErrorDetails, 'law' | 'kind' | 'subject'>

/** Creates the context of a check on a sample. */
export function createContext(law: LawName, kind: CheckedBodyKind, name: string): CheckContext {
  return { law, kind, subject: `${kind} "${name}"` }
}

/** Calls a function of the dialect; what it throws becomes a failure that names the operation. */
export function callDialect<T>(context: CheckContext, operation: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw createThrownError(context, operation, error)
  }
}

/** Awaits a function of the dialect; what it rejects with becomes a failure that names the operation. */
export async function awaitDialect<T>(
  context: CheckContext,
  operation: string,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw createThrownError(context, operation, error)
  }
}

function createThrownError(context: CheckContext, operation: string, error: unknown): Error {
  if (error instanceof ConformanceError) return error
  const problem = `${operation} failed`
  return new ConformanceError({
    ...context,
    problem,
    found: createDescription(describeThrown(error)),
    expected: createDescription('no error'),
    advice: 'Find the line that failed in the stack of `cause`. Check the type of a value before you use it.',
    cause: error,
  })
}

/** Fails if two JSON values differ; the failure names the first difference. */
export function expectEqual(
  context: CheckContext,
  problem: string,
  found: unknown,
  expected: unknown,
  basePath = '',
): void {
  const difference = findDifference(found, expected, basePath)
  if (difference !== undefined) throw new ConformanceError({ ...context, problem, ...difference })
}

/** Returns true if a loss names a path or one above it, other than the root. */
export function isNamedByLoss(losses: readonly Loss[], path: string): boolean {
  return losses.some((loss) => loss.path !== '' && loss.path !== '/messages' && isAtOrAbove(loss.path, path))
}
