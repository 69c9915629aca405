import { InterlinguaError } from '../errors.ts'
import { describeType } from './json.ts'

/** The stack frames that a cause keeps. */
const MAX_FRAMES = 20

/**
 * Returns an error of the library unchanged, and wraps any other as `internal`: a mistake of the library, with a request
 * to report it. Messages of other errors may quote the input (`JSON.parse` does), so the cause has only the class of the
 * error and its stack frames. If one of the `given` arguments cannot be what the types ask for, that is the mistake.
 *
 * @example
 * toTypedError(new TypeError('x is undefined')).code // 'internal'
 */
export function toTypedError(error: unknown, given: readonly unknown[] = []): InterlinguaError {
  if (error instanceof InterlinguaError) return error
  const wrong = error instanceof TypeError ? describeWrongArgument(given) : undefined
  if (wrong !== undefined) return createArgumentError(wrong)
  const name = error instanceof Error ? error.constructor.name : typeof error
  return new InterlinguaError('internal', `An unexpected error occurred inside interlingua (${name})`, {
    found: `an error of the type ${name}`,
    hint: 'If one of your getters or iterators threw the error, correct it. Otherwise this is a bug of interlingua: please report it with the stack of `cause`, which contains none of your data.',
    cause: withoutMessage(error, name),
  })
}

const ORDINALS = ['first', 'second', 'third', 'fourth']

/** Types of arguments, the least likely to be right first. Objects and lists may be right. */
const WRONG_TYPES = [
  'null',
  'nothing',
  'a symbol',
  'a function',
  'a bigint',
  'a boolean',
  'a number',
  'a string',
]

/** Describes the argument that is least likely to be right; undefined if all are objects or lists of objects. */
function describeWrongArgument(given: readonly unknown[]): string | undefined {
  const descriptions = given.map((value, index) => {
    const name = `the ${ORDINALS[index] ?? 'last'} argument`
    const type = describeType(value)
    if (type !== 'an array' || (value as readonly unknown[]).length === 0)
      return { type, text: `${type} as ${name}` }
    const itemType = describeType((value as readonly unknown[])[0])
    return { type: itemType, text: `${itemType} in ${name}` }
  })
  for (const wrong of WRONG_TYPES) {
    const found = descriptions.find(({ type }) => type === wrong)
    if (found !== undefined) return found.text
  }
  return undefined
}

function createArgumentError(found: string): InterlinguaError {
  const expected = 'a value of the documented type'
  return new InterlinguaError('invalid-type', `Expected ${expected}, found ${found}`, {
    found,
    expected,
    hint: 'Compare the arguments of the call with the types of the function.',
  })
}

/**
 * Calls a function; what it throws is always an error of the library, see {@link toTypedError}. The `given` arguments
 * are examined only if the function fails.
 *
 * @example
 * const textOf = (message: Message) => withTypedErrors(() => joinText(message.content), [message])
 */
export function withTypedErrors<T>(act: () => T, given?: readonly unknown[]): T {
  try {
    return act()
  } catch (error) {
    throw isCallbackError(error) ? error : toTypedError(error, given)
  }
}

/**
 * Calls an asynchronous function; what it rejects with is always an error of the library, see {@link toTypedError}.
 *
 * @example
 * const read = (source: ByteSource) => withTypedRejections(async () => await readBytes(source))
 */
export async function withTypedRejections<T>(act: () => Promise<T>, given?: readonly unknown[]): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw isCallbackError(error) ? error : toTypedError(error, given)
  }
}

/**
 * Calls an asynchronous function; a `TypeError` or a `RangeError` that it rejects with is an error of the library, see
 * {@link toTypedError}: the argument was not what the types promise. Errors of other classes may be those of a backend
 * that the application has written, and reach it unchanged.
 *
 * @example
 * const read = (query: Query) => withTypedMistakes(async () => await rows.find(query.text.trim()))
 */
export async function withTypedMistakes<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const isMistake = error instanceof TypeError || error instanceof RangeError
    throw isMistake && !isCallbackError(error) ? toTypedError(error) : error
  }
}

/** Errors that functions of the caller threw. */
const callbackErrors = new WeakSet<object>()

function isCallbackError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && callbackErrors.has(error)
}

/**
 * Calls a function that the caller passed in, such as a policy or a clock: what it throws reaches the caller unchanged.
 *
 * @example
 * callCallback(() => policy.isTrusted(message))
 */
export function callCallback<T>(callback: () => T): T {
  try {
    return callback()
  } catch (error) {
    if (typeof error === 'object' && error !== null) callbackErrors.add(error)
    throw error
  }
}

/**
 * Returns an object whose methods throw only errors of the library, see {@link toTypedError}.
 *
 * @example
 * const dialect = withTypedMethods({ decode: (body: unknown) => decodeBody(body) })
 */
export function withTypedMethods<T extends object>(methods: T): T {
  const entries = Object.entries(methods).map(([name, method]: [string, unknown]) => {
    if (typeof method !== 'function') return [name, method] as const
    const typed = (...given: readonly unknown[]): unknown =>
      withTypedErrors((): unknown => Reflect.apply(method, methods, given), given)
    return [name, typed] as const
  })
  return Object.fromEntries(entries) as T
}

/** Returns an error with the class and the stack frames of another one. */
function withoutMessage(error: unknown, name: string): Error {
  const copy = new Error(name)
  const { stack = '', message = '' } = error instanceof Error ? error : {}
  // The stack repeats the message, and lines of the message may look like frames.
  const start = message === '' ? 0 : stack.indexOf(message) + message.length
  const frames = stack
    .slice(start)
    .split('\n')
    .filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line))
  copy.stack = [`Error: ${name}`, ...frames.slice(0, MAX_FRAMES)].join('\n')
  return copy
}
