import { checkIterable } from '../canonical/shape/shape.ts'
import { checkOptions, type OptionNames } from '../wire/check-options.ts'
import { withTypedMistakes } from '../wire/typed-errors.ts'
import { checkIdentifier } from './check-arguments.ts'
import type {
  AppendOptions,
  ConversationStorage,
  ForkOptions,
  ImportOptions,
  MessagesQuery,
  NewSession,
  SaveStoreOptions,
  SearchQuery,
  SectionOptions,
  SessionChanges,
  SessionQuery,
  UsageQuery,
} from './conversation-storage.ts'
import type { AcquireLeaseOptions } from './lease.ts'
import type { ForgetSessionsOptions, PruneSessionsOptions } from './retention.ts'

/** Checks one argument; an argument that is undefined has its default. */
type CheckArgument = (value: unknown, method: string) => void

/** An id that the operation needs. */
const identifier =
  (name: string): CheckArgument =>
  (value) =>
    void checkIdentifier(value, name)

/** An object with only these options. A misspelled one would be ignored: `expectedhead` would overwrite a conflict. */
const options =
  <T extends object>(names: OptionNames<T>): CheckArgument =>
  (value, method) => {
    if (value !== undefined) checkOptions<object>(`${method}()`, value as object, names)
  }

/** Like {@link options}, for an argument without which the operation has no meaning. */
const required =
  <T extends object>(names: OptionNames<T>): CheckArgument =>
  (value, method) =>
    checkOptions<object>(`${method}()`, value as object, names)

const lines: CheckArgument = (value) => void checkIterable(value, 'a list or a stream of lines')

/** The operation itself checks these: messages, and ids that may be null. */
const unchecked: CheckArgument = () => undefined

const section: OptionNames<SectionOptions> = { section: true }
const changes: OptionNames<SessionChanges> = { title: true, labels: true, parameters: true, expiresAt: true }
const newSession: OptionNames<NewSession> = { ...changes, id: true }
const session = identifier('session')
const message = identifier('message')

type MethodName = Exclude<keyof ConversationStorage, 'tenant' | 'backend'>

/** The arguments of the methods of a storage, in order. A method without a row does not compile. */
const ARGUMENTS: { readonly [name in MethodName]-?: readonly CheckArgument[] } = {
  forTenant: [identifier('tenant')],
  createSession: [options<NewSession>(newSession)],
  session: [session],
  sessions: [options<SessionQuery>({ search: true, label: true, limit: true, cursor: true })],
  updateSession: [session, required<SessionChanges>(changes)],
  deleteSession: [session],
  prune: [
    options<PruneSessionsOptions>({
      olderThan: true,
      keepLast: true,
      label: true,
      archive: Function,
      isDryRun: Boolean,
    }),
  ],
  forget: [
    required<{ session: string; label: string; tenant: string }>({
      session: true,
      label: true,
      tenant: true,
    }),
    options<ForgetSessionsOptions>({ isDryRun: Boolean }),
  ],
  append: [
    session,
    unchecked,
    options<AppendOptions>({ ...section, expectedHead: true, after: true, lease: true }),
  ],
  syncHistory: [session, unchecked, options<SectionOptions>(section)],
  get: [session, message, options<SectionOptions>(section)],
  replace: [session, message, unchecked],
  remove: [session, message],
  head: [session, options<SectionOptions>(section)],
  setHead: [session, unchecked, options<SectionOptions>(section)],
  messages: [session, options<MessagesQuery>({ ...section, to: true, last: true, includeSystem: Boolean })],
  branches: [session, options<SectionOptions>(section)],
  fork: [session, options<ForkOptions>({ ...newSession, at: true })],
  label: [session, message, identifier('label')],
  unlabel: [session, message, identifier('label')],
  labels: [session],
  loadStore: [session],
  saveStore: [session, unchecked, options<SaveStoreOptions>({ expectedStore: true })],
  exportSession: [session],
  importSession: [lines, options<ImportOptions>({ id: true, trustToolCallLog: Boolean })],
  rotateKeys: [],
  search: [
    required<SearchQuery>({
      query: true,
      role: true,
      tool: true,
      after: true,
      before: true,
      session: true,
      limit: true,
      cursor: true,
    }),
  ],
  rebuildSearchIndex: [],
  usage: [options<UsageQuery>({ session: true, from: true, to: true, by: true })],
  verify: [(value) => void (value === undefined || checkIdentifier(value, 'session'))],
  close: [],
  lease: [session],
  acquireLease: [
    session,
    required<AcquireLeaseOptions>({ token: true, durationMs: true, holder: true, replacedToken: true }),
  ],
  renewLease: [session, required({ token: true, durationMs: true })],
  requestLeaseRelease: [session, identifier('token')],
  releaseLease: [session, identifier('token')],
}

/** Methods that return no promise: they throw at once. */
const SYNCHRONOUS: ReadonlySet<string> = new Set(['forTenant', 'exportSession'])

/** Methods that a storage of an application may lack. */
const OPTIONAL: ReadonlySet<string> = new Set(['rotateKeys', 'rebuildSearchIndex'])

/** The methods that every storage has. */
export const STORAGE_METHODS: readonly MethodName[] = (Object.keys(ARGUMENTS) as MethodName[]).filter(
  (name) => !OPTIONAL.has(name),
)

/**
 * Returns a storage that checks the arguments of its methods before it begins: JavaScript callers get an error that names
 * the argument, and nothing is read or written.
 */
export function checkStorageArguments<T extends ConversationStorage>(storage: T): T {
  const entries = (Object.keys(ARGUMENTS) as MethodName[]).flatMap((name) => {
    const method: unknown = storage[name]
    const checks = ARGUMENTS[name]
    if (typeof method !== 'function' || checks.length === 0) return []
    const call = (given: readonly unknown[]): unknown => {
      for (const [index, check] of checks.entries()) check(given[index], name)
      return Reflect.apply(method, storage, given)
    }
    return SYNCHRONOUS.has(name)
      ? [[name, (...given: readonly unknown[]) => call(given)] as const]
      : [[name, (...given: readonly unknown[]) => withTypedMistakes(async () => call(given))] as const]
  })
  return Object.freeze({ ...storage, ...Object.fromEntries(entries) })
}
