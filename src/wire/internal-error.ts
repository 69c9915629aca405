import { InterlinguaError } from '../errors.ts'

/** The stack frames that a cause keeps. */
const MAX_FRAMES = 20

/**
 * Returns an error of the library unchanged, and wraps any other as `internal`: a mistake of the library, with a request
 * to report it. Messages of other errors may quote the input (`JSON.parse` does), so the cause has only the class of the
 * error and its stack frames.
 *
 * @example
 * toTypedError(new TypeError('x is undefined')).code // 'internal'
 */
export function toTypedError(error: unknown): InterlinguaError {
  if (error instanceof InterlinguaError) return error
  const name = error instanceof Error ? error.constructor.name : typeof error
  return new InterlinguaError('internal', `An unexpected error occurred inside of interlingua (${name})`, {
    found: `an error of the type ${name}`,
    hint: 'Unless a getter or an iterator of your own threw it, this is a bug of interlingua: please report it with the stack of `cause`, which contains none of your data.',
    cause: withoutMessage(error, name),
  })
}

/**
 * Calls a function; what it throws is always an error of the library, see {@link toTypedError}.
 *
 * @example
 * const decode = (body: unknown) => withTypedErrors(() => decodeBody(body))
 */
export function withTypedErrors<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw isCallbackError(error) ? error : toTypedError(error)
  }
}

/**
 * Calls an asynchronous function; what it rejects with is always an error of the library, see {@link toTypedError}.
 *
 * @example
 * const read = (source: ByteSource) => withTypedRejections(async () => await readBytes(source))
 */
export async function withTypedRejections<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw isCallbackError(error) ? error : toTypedError(error)
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
      withTypedErrors((): unknown => Reflect.apply(method, methods, given))
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
