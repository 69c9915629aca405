import { InterlinguaError } from '../../errors.ts'
import type {
  AppendResult,
  ConversationStorage,
  IntegrityIssue,
  SectionOptions,
} from '../conversation-storage.ts'
import { createCompositeKey } from '../in-memory/in-memory-tables.ts'
import { SerialQueue } from '../write-queues.ts'
import { isObject, type Json, stableStringify, tryParseJson } from '../../wire/json.ts'
import { digestText } from '../../wire/digest.ts'

/**
 * Returns a text that is equal for two storages if a session has the same fields, heads, branches and labels in both.
 * It does not cover the contents of messages: those are compared by {@link findDifferences}.
 */
async function readSessionOutline(storage: ConversationStorage, id: string): Promise<string> {
  const session = await storage.session(id)
  if (session === undefined) return ''
  const sections: Json[] = []
  for (const section of session.sections) {
    const branches = await storage.branches(id, { section })
    const heads = branches.map(({ head, length }) => `${head} ${length}`).toSorted()
    sections.push([section, (await storage.head(id, { section })) ?? null, heads])
  }
  const labels = [...(await storage.labels(id))].map(([message, own]) => [message, own.toSorted()] as const)
  const { title, parameters } = session
  const fields = { title, parameters: { ...parameters }, labels: session.labels.toSorted() }
  return stableStringify([{ ...fields }, sections, Object.fromEntries(labels)])
}

/** The contents of a session: values of its fields, and the digest of each message with its labels, by id. */
interface SessionContents {
  readonly fields: ReadonlyMap<string, string>
  readonly messages: ReadonlyMap<string, string>
}

/** Fields that each storage sets by its own clock. */
const TIME_FIELDS: ReadonlySet<string> = new Set(['createdAt', 'updatedAt'])

async function readContents(storage: ConversationStorage, id: string): Promise<SessionContents> {
  const fields = new Map<string, string>()
  const messages = new Map<string, string>()
  for await (const text of storage.exportSession(id)) {
    const line = tryParseJson(text)
    if (!isObject(line)) continue
    const { session, sections, message } = line
    if (isObject(session)) {
      for (const [name, value] of Object.entries(session))
        if (!TIME_FIELDS.has(name)) fields.set(name, stableStringify(value))
      fields.set('sections or heads', stableStringify(sections ?? null))
    } else if (isObject(message) && typeof message['id'] === 'string')
      messages.set(message['id'], digestText(stableStringify(line)))
  }
  return { fields, messages }
}

/** Returns every difference of a session between the primary and a replica. */
async function findDifferences(
  primary: ConversationStorage,
  replica: ConversationStorage,
  id: string,
  replicaName: string,
): Promise<readonly IntegrityIssue[]> {
  const kind = 'replica'
  const [inPrimary, inReplica] = [await primary.session(id), await replica.session(id)]
  if (inPrimary === undefined || inReplica === undefined) {
    const holder = inPrimary === undefined ? replicaName : 'the primary'
    const reason = `Only ${holder} has the session; the next write to it copies it`
    return inPrimary === inReplica ? [] : [{ session: id, kind, reason }]
  }
  const [expected, found] = [await readContents(primary, id), await readContents(replica, id)]
  const issues: IntegrityIssue[] = []
  for (const name of new Set([...expected.fields.keys(), ...found.fields.keys()])) {
    if (expected.fields.get(name) === found.fields.get(name)) continue
    issues.push({ session: id, kind, reason: `The ${name} of ${replicaName} differ from the primary` })
  }
  for (const message of new Set([...expected.messages.keys(), ...found.messages.keys()])) {
    const [wanted, stored] = [expected.messages.get(message), found.messages.get(message)]
    if (wanted === stored) continue
    const state =
      stored === undefined ? 'is missing' : wanted === undefined ? 'is not in the primary' : 'differs'
    issues.push({ session: id, message, kind, reason: `The message ${state} (${replicaName})` })
  }
  return issues
}

/** Error codes of a replica that has missed a write. */
const BEHIND_CODES: ReadonlySet<string> = new Set(['unknown-session', 'unknown-id', 'conflict'])

/** Number of sessions that are remembered as compared. */
const MAX_COMPARED_SESSIONS = 10_000

/** The state of a replica, shared by all tenants. */
export class ReplicaState {
  readonly queue: SerialQueue = new SerialQueue()
  /** Sessions in which it missed a write. */
  readonly missedSessions: Set<string> = new Set()
  /** Sessions that were compared with the primary, or are being compared. */
  readonly comparisons: Map<string, Promise<void>> = new Map()
}

/** A storage that repeats the writes of the primary in order, and copies sessions in which it missed one. */
export interface Replica {
  readonly storage: ConversationStorage
  /** Runs an operation that does not depend on the primary. */
  run<T>(act: (storage: ConversationStorage) => Promise<T>): Promise<T>
  /** Finds out, once per session, whether the replica missed a write before this process started. */
  compareOnce(session: string): Promise<void>
  /** Repeats a write of the primary. A failure is reported and repaired with the next write to the session. */
  replicate(session: string, act: (storage: ConversationStorage) => Promise<unknown>): Promise<void>
  /** Returns the differences of a session; if there are any, the next write to it copies it. */
  verify(session: string): Promise<readonly IntegrityIssue[]>
}

export function createReplica(
  storage: ConversationStorage,
  primary: ConversationStorage,
  { queue, missedSessions, comparisons }: ReplicaState,
  { name, onError = () => undefined }: { readonly name: string; readonly onError?: (error: unknown) => void },
): Replica {
  const sessionKey = (session: string): string => createCompositeKey(storage.tenant, session)

  /** Copies the complete session, the last write included. */
  async function copy(session: string): Promise<void> {
    await storage.deleteSession(session)
    if ((await primary.session(session)) !== undefined)
      await storage.importSession(primary.exportSession(session), { trustToolCallLog: true })
    missedSessions.delete(sessionKey(session))
  }

  async function compare(session: string): Promise<void> {
    const key = sessionKey(session)
    try {
      const isEqual =
        (await readSessionOutline(primary, session)) === (await readSessionOutline(storage, session))
      if (!isEqual) missedSessions.add(key)
    } catch {
      // The write itself reports the error.
      missedSessions.add(key)
    }
  }

  async function write(
    session: string,
    act: (storage: ConversationStorage) => Promise<unknown>,
  ): Promise<void> {
    const key = sessionKey(session)
    try {
      if (missedSessions.has(key)) await copy(session)
      else await act(storage)
    } catch (error) {
      try {
        if (!(error instanceof InterlinguaError) || !BEHIND_CODES.has(error.code)) throw error
        await copy(session)
      } catch (cause) {
        missedSessions.add(key)
        onError(cause)
      }
    }
  }

  return {
    storage,
    run: (act) => queue.run(() => act(storage)),
    compareOnce: (session) => {
      const key = sessionKey(session)
      const known = comparisons.get(key)
      if (known !== undefined) return known
      if (comparisons.size >= MAX_COMPARED_SESSIONS) comparisons.clear()
      const comparison = queue.run(() => compare(session))
      comparisons.set(key, comparison)
      return comparison
    },
    replicate: (session, act) => queue.run(() => write(session, act)),
    verify: (session) =>
      queue.run(async () => {
        const issues = await findDifferences(primary, storage, session, name)
        if (issues.length > 0) missedSessions.add(sessionKey(session))
        return issues
      }),
  }
}

/** Repeats an append of the primary: the same messages after the same parent. */
export async function replicateAppend(
  to: ConversationStorage,
  session: string,
  { added, head }: AppendResult,
  { section }: SectionOptions = {},
): Promise<void> {
  const where = section === undefined ? {} : { section }
  const [first, last] = [added[0], added.at(-1)]
  if (first === undefined || last === undefined) return to.setHead(session, head, where)
  // A copy of the session may already contain them, and messages that were appended after them.
  if ((await to.get(session, last.id)) !== undefined) return undefined
  const parent = first.parentId ?? null
  if (((await to.head(session, where)) ?? null) !== parent) await to.setHead(session, parent, where)
  await to.append(session, added, where)
}
