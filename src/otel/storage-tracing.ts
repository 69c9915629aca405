import type { ConversationStorage } from '../stores/conversation-storage.ts'
import { InterlinguaError } from '../errors.ts'
import { checkOptions } from '../wire/check-options.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { describeType, isObject, omitUndefined } from '../wire/json.ts'
import { type OperationSpan, startSpan } from './operation-span.ts'
import type { SpanAttributes } from './span-attributes.ts'

/** Options of {@link traceStorage}. */
export interface StorageTracingOptions {
  /** The name of the tracer. Default: `interlingua`. */
  readonly name?: string
  /** The value of `db.system.name`. Default: the backend of the storage, such as `sqlite` or `postgresql`. */
  readonly system?: string
}

type Operations = Required<ConversationStorage>
type OperationName = Exclude<keyof Operations, 'tenant' | 'backend' | 'forTenant' | 'exportSession'>
type OperationResult<K extends OperationName> = Awaited<ReturnType<Operations[K]>>

const RETURNED_ROWS = 'db.response.returned_rows'

const countRows = (count: number): SpanAttributes => ({ [RETURNED_ROWS]: count })
const countDeleted = ({ sessionCount, messageCount }: OperationResult<'prune'>): SpanAttributes => ({
  'interlingua.storage.deleted_sessions': sessionCount,
  'interlingua.storage.deleted_messages': messageCount,
})
const countWritten = ({ added }: OperationResult<'append'>): SpanAttributes => ({
  'interlingua.storage.written_messages': added.length,
})

/** The attributes of results: counts only, because a result may be confidential. */
const RESULT_ATTRIBUTES: { readonly [K in OperationName]?: (result: OperationResult<K>) => SpanAttributes } =
  {
    append: countWritten,
    syncHistory: countWritten,
    messages: ({ size }) => countRows(size),
    get: (message) => countRows(message === undefined ? 0 : 1),
    session: (session) => countRows(session === undefined ? 0 : 1),
    sessions: ({ sessions }) => countRows(sessions.length),
    branches: ({ length }) => countRows(length),
    labels: ({ size }) => countRows(size),
    search: ({ hits }) => countRows(hits.length),
    usage: ({ length }) => countRows(length),
    verify: ({ length }) => ({ 'interlingua.storage.integrity_issues': length }),
    prune: countDeleted,
    forget: countDeleted,
  }

/** Backends that run in the process itself. */
const IN_PROCESS: ReadonlySet<string> = new Set(['memory', 'unknown'])

/**
 * Returns a storage that creates a span for each operation, with the attributes of OpenTelemetry's conventions for
 * databases: the backend, the operation, counts, and the code of an error. Messages, titles, labels and search words are
 * never included. Needs `@opentelemetry/api` and an SDK that the program has set up.
 *
 * @example
 * import { traceStorage } from 'interlingua/otel'
 * const storage = traceStorage(await sqliteStorage('chat.db'))
 */
export function traceStorage<T extends ConversationStorage>(
  storage: T,
  options: StorageTracingOptions = {},
): T {
  checkOptions('`traceStorage`', options, { name: true, system: true })
  const { name, system = withTypedErrors(() => readBackend(storage), [storage, options]) } = options

  function start(operation: string, given: readonly unknown[]): Promise<OperationSpan> {
    return startSpan(omitUndefined({ name }), {
      name: `${operation} ${system}`,
      kind: IN_PROCESS.has(system) ? 'INTERNAL' : 'CLIENT',
      attributes: omitUndefined({
        'db.system.name': system,
        'db.operation.name': operation,
        'gen_ai.conversation.id': findSession(given),
      }),
      contents: () => ({}),
    })
  }

  const trace =
    (operation: string, run: (...given: unknown[]) => unknown) =>
    async (...given: unknown[]): Promise<unknown> => {
      const span = await start(operation, given)
      return span.record(async () => {
        const result = await run(...given)
        const toAttributes = RESULT_ATTRIBUTES[operation as OperationName] as
          | ((value: unknown) => SpanAttributes)
          | undefined
        if (toAttributes !== undefined) span.setAttributes(toAttributes(result), () => ({}))
        return result
      })
    }

  async function* traceExport(session: string): AsyncGenerator<string> {
    const span = await start('exportSession', [session])
    let count = 0
    try {
      const lines = span.run(() => storage.exportSession(session)[Symbol.asyncIterator]())
      try {
        for (let next = await span.run(() => lines.next()); next.done !== true; count++) {
          yield next.value
          next = await span.run(() => lines.next())
        }
      } finally {
        await lines.return?.()
      }
    } catch (error) {
      span.setError(error)
      throw error
    } finally {
      span.setAttributes(countRows(count), () => ({}))
      span.end()
    }
  }

  const others: { readonly [name: string]: unknown } = {
    forTenant: (tenant: string) => traceStorage(storage.forTenant(tenant), options),
    exportSession: traceExport,
  }
  return Object.freeze(mapMethods(storage, (name, run) => others[name] ?? trace(name, run))) as T
}

/** Returns a copy of an object whose methods are replaced; those of its class are included, and getters stay getters. */
function mapMethods(
  object: object,
  map: (name: string, method: (...given: unknown[]) => unknown) => unknown,
): object {
  const copy = {}
  for (let owner: object | null = object; owner !== null && owner !== Object.prototype;) {
    for (const [key, found] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (key === 'constructor' || Object.hasOwn(copy, key)) continue
      const read = (): unknown => Reflect.get(object, key) as unknown
      const method: unknown = found.get === undefined ? read() : undefined
      const property =
        typeof method === 'function'
          ? { value: map(key, (...given) => Reflect.apply(method, object, given) as unknown) }
          : { get: read }
      Object.defineProperty(copy, key, { ...property, enumerable: true, configurable: true })
    }
    owner = Object.getPrototypeOf(owner) as object | null
  }
  return copy
}

/** Returns the session of an operation: its first argument, or that of a query. */
function findSession([first]: readonly unknown[]): string | undefined {
  const session = isObject(first) ? first['session'] : first
  return typeof session === 'string' ? session : undefined
}

/** Returns the name of the backend; a value that is no storage is an error. */
function readBackend(storage: ConversationStorage): string {
  const given: unknown = storage
  if (typeof given === 'object' && given !== null) return storage.backend ?? 'unknown'
  throw new InterlinguaError('invalid-type', 'The storage is missing', {
    found: describeType(given),
    expected: 'a conversation storage',
    hint: 'Pass the storage as the first argument of `traceStorage`.',
  })
}
