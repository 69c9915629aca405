import { assistant, MessageStore, user } from 'interlingua'
import type { MemoryStore } from 'interlingua/memory'
import type { Conversation, ConversationStorage, StreamLog } from 'interlingua/stores'
import type { CreateArguments } from './hostile-calls.ts'

/** Arguments with which each method succeeds. A new method does not compile without a row. */
export type MethodCalls<T> = {
  readonly [
    name in keyof Required<T> as Required<T>[name] extends (...given: never) => unknown ? name : never
  ]: CreateArguments | undefined
}

let count = 0
const createName = (): string => `name ${++count}`

const lease = { token: 'token', durationMs: 1_000 }

/** Adds the session of the calls to a storage. */
export async function fillStorage(storage: ConversationStorage): Promise<void> {
  await storage.createSession({ id: 's' })
  await storage.append('s', [
    user('One', { id: 'm1' }),
    assistant('Two', { id: 'm2' }),
    user('Three', { id: 'm3' }),
  ])
}

/** Lines of an export, in the form of the storage itself. */
export async function exportLines(storage: ConversationStorage): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of storage.exportSession('s')) lines.push(line)
  return lines
}

/** Calls of a storage with the session `s`. Those that delete name a session that does not exist. */
export const createStorageCalls = (lines: readonly string[]): MethodCalls<ConversationStorage> => ({
  forTenant: () => ['other'],
  createSession: () => [
    {
      id: createName(),
      title: 'T',
      labels: ['x'],
      parameters: { a: 1 },
      expiresAt: new Date(Date.now() + 1e9),
    },
  ],
  session: () => ['s'],
  sessions: () => [{ search: 'T', label: 'x', limit: 2 }],
  updateSession: () => ['s', { title: 'T', labels: [], parameters: {}, expiresAt: null }],
  deleteSession: () => ['absent'],
  prune: () => [
    {
      olderThan: '2000-01-01T00:00:00Z',
      keepLast: 9,
      label: 'absent',
      archive: () => undefined,
      isDryRun: true,
    },
  ],
  forget: () => [{ session: 'absent' }, { isDryRun: true }],
  append: () => ['s', [user('More', { id: createName() })], { section: 'other' }],
  syncHistory: () => ['s', ['One'], { section: 'third' }],
  get: () => ['s', 'm1', { section: 'messages' }],
  replace: () => ['s', 'm1', user('One')],
  remove: () => ['s', 'absent'],
  head: () => ['s', { section: 'messages' }],
  setHead: () => ['s', 'm3', { section: 'messages' }],
  messages: () => ['s', { section: 'messages', to: 'm3', last: 2, includeSystem: true }],
  branches: () => ['s', { section: 'messages' }],
  fork: () => ['s', { id: createName(), at: 'm2', title: 'F', labels: [], parameters: {} }],
  label: () => ['s', 'm1', 'good'],
  unlabel: () => ['s', 'm1', 'good'],
  labels: () => ['s'],
  loadStore: () => ['s'],
  saveStore: () => [createName(), MessageStore.of(), { expectedStore: null }],
  exportSession: () => ['s'],
  importSession: () => [lines, { id: createName(), trustToolCallLog: true }],
  rotateKeys: undefined,
  search: () => [
    {
      query: 'One',
      role: 'user',
      tool: 't',
      after: '2020-01-01',
      before: new Date(),
      session: 's',
      limit: 3,
    },
  ],
  rebuildSearchIndex: undefined,
  usage: () => [{ session: 's', from: '2020-01-01', to: '2030-01-01', by: ['model'] }],
  verify: () => ['s'],
  close: undefined,
  lease: () => ['s'],
  acquireLease: () => ['s', { ...lease, holder: 'h', replacedToken: 'token' }],
  renewLease: () => ['s', lease],
  requestLeaseRelease: () => ['s', 'token'],
  releaseLease: () => ['s', 'absent'],
})

export const createStreamLogCalls = (stream: string): MethodCalls<StreamLog> => ({
  forTenant: () => ['other'],
  open: () => [createName(), { replaceAfterMs: 0 }],
  latest: () => ['topic'],
  read: () => [stream, { after: 0, signal: new AbortController().signal }],
  requestStop: () => [stream],
  remove: () => ['absent'],
  prune: undefined,
  close: undefined,
})

const tenant = 'ada'

export const memoryCalls: MethodCalls<MemoryStore> = {
  put: () => [
    {
      tenant,
      key: 'k',
      text: 'Likes tea',
      value: { a: 1 },
      metadata: { a: 1 },
      vector: { model: 'm', values: [1, 2] },
      expiresAt: new Date(Date.now() + 1e9),
      signal: new AbortController().signal,
    },
  ],
  putAll: () => [{ tenant, memories: [{ text: 'Likes tea' }] }],
  get: () => [{ tenant, key: 'k' }],
  list: () => [{ tenant, filter: { a: 1 }, limit: 2 }],
  delete: () => [{ tenant, key: 'absent' }],
  search: () => [{ tenant, text: 'tea', filter: { a: [1, 2] }, limit: 2, minScore: 0 }],
  embedMissing: undefined,
  forget: () => ['absent'],
  prune: undefined,
  close: undefined,
}

const run = () => ({
  limits: { steps: 2 },
  signal: new AbortController().signal,
  request: { temperature: 0 },
})

export const conversationCalls: MethodCalls<Conversation> = {
  messages: undefined,
  send: () => ['Hi', run()],
  stream: () => ['Hi', run()],
  resume: () => [{ id: true }, run()],
  resumeStream: () => [{ id: true }, run()],
  setHead: () => ['m3'],
  regenerate: () => [{ message: 'm1', ...run() }],
  regenerateStream: () => [{ message: 'm1', ...run() }],
  edit: () => ['m1', 'Hello', run()],
  editStream: () => ['m1', 'Hello', run()],
  fork: () => [{ at: 'm1' }],
}
