import { InterlinguaError } from 'interlingua'
import { AgentStream } from 'interlingua/agent'
import { CALLER_ERROR, selectHostileValues, THROWING_VALUES } from './hostile-values.ts'

export type Callable = (...given: readonly unknown[]) => unknown

/** Returns a function or a class as a function. */
export function toCallable(target: object): Callable {
  const isClass = /^class\b/.test(Function.prototype.toString.call(target))
  return isClass
    ? (...given): unknown => Reflect.construct(target as never, given)
    : (...given): unknown => Reflect.apply(target as never, undefined, given)
}

/** Waits for a promise, and reads the start of a stream. A call that never ends is not waited for. */
export async function settle(result: unknown, timeoutMs = 5): Promise<unknown> {
  if (result instanceof Promise) {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, undefined)
    })
    return settle(await Promise.race([result, timeout]).finally(() => clearTimeout(timer)), timeoutMs)
  }
  const isOwnStream = /^\[object Async(?:Generator|Iterator)\]$/.test(Object.prototype.toString.call(result))
  if (isOwnStream) {
    await settle((result as AsyncGenerator).next(), timeoutMs)
    void (result as AsyncGenerator).return(undefined).catch(() => undefined)
  }
  // A run of an agent holds its conversation until it ends.
  if (result instanceof AgentStream) await settle(result.result, timeoutMs)
  return result
}

/** Paths of what can be replaced in arguments: each argument, and the fields of plain objects and lists in it. */
type SlotPath = readonly (string | number)[]

/** Deeper fields are those of messages, which other laws change. */
const MAX_SLOT_DEPTH = 3

function* listSlots(value: unknown, path: SlotPath): Generator<SlotPath> {
  if (path.length > 0) yield path
  if (path.length >= MAX_SLOT_DEPTH || typeof value !== 'object' || value === null) return
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  if (!isPlain) return
  for (const [key, inner] of Object.entries(value) as [string, unknown][])
    yield* listSlots(inner, [...path, Array.isArray(value) ? Number(key) : key])
}

function replaceAt(value: unknown, [key, ...rest]: SlotPath, by: unknown): unknown {
  if (key === undefined) return by
  const inner = (value as { readonly [key: string]: unknown })[key]
  const replaced = replaceAt(inner, rest, by)
  return Array.isArray(value)
    ? (value as readonly unknown[]).with(Number(key), replaced)
    : { ...(value as object), [key]: replaced }
}

/** Creates arguments with which a call succeeds; new ones for each call, because a call may use up an id. */
export type CreateArguments = () => readonly unknown[]

/** Changes a hostile value for a slot, for example to a path in a folder of the test. */
export type AdaptValue = (value: unknown, path: string) => unknown

interface HostileCall {
  readonly title: string
  readonly value: unknown
  readonly given: readonly unknown[]
}

/** Yields the arguments of a call with one slot replaced by one hostile value, for every slot and every value. */
function* replaceSlots(create: CreateArguments, adapt: AdaptValue): Generator<HostileCall> {
  const values = selectHostileValues()
  for (const path of listSlots(create(), []))
    for (const [name, value] of values) {
      const given = replaceAt(create(), path, adapt(value, path.join('/'))) as readonly unknown[]
      yield { title: `${name} at ${path.join('/')}`, value, given }
    }
}

/**
 * Returns what is wrong with an error: it must be of the library, with a code and a text for people. An error that the
 * caller's own value threw is `internal`, or reaches the caller unchanged; for any other value, `internal` is a bug.
 */
function findErrorProblem(error: unknown, title: string): string | undefined {
  const isThrowing = THROWING_VALUES.has(title.replace(/ at .*$/, ''))
  if (error === CALLER_ERROR && isThrowing) return undefined
  if (!(error instanceof InterlinguaError))
    return error instanceof Error ? `${error.name}: ${error.message.slice(0, 120)}` : typeof error
  if (error.code !== 'internal' || isThrowing) return undefined
  const [, frame = ''] = ((error.cause as Error | undefined)?.stack ?? '').split('\n')
  return `internal ${frame.trim()}`
}

/** Calls a function with hostile values in every slot; returns the errors that are no answers. */
export async function findUntypedErrors(
  call: Callable,
  create: CreateArguments,
  afterCall: (result: unknown) => unknown = () => undefined,
  adapt: AdaptValue = (value) => value,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const { title, value, given } of replaceSlots(create, adapt)) {
    try {
      const result = call(...given)
      // Some functions return what they were given.
      if (result !== value) await afterCall(await settle(result, 2_000))
    } catch (error) {
      const problem = findErrorProblem(error, title)
      if (problem !== undefined) found.push(`${title}: ${problem}`)
    }
  }
  return found
}
