import { isObject, type Json, stableStringify, tryParseJson } from '../../wire/json.ts'
import type { ConversationStorage, IntegrityIssue } from '../conversation-storage.ts'
import { digestText } from '../../wire/digest.ts'

/**
 * Returns a text that is equal for two storages if a session has the same fields, heads, branches and labels in both.
 * It does not cover the contents of messages: those are compared by {@link findDifferences}.
 */
export async function readSessionOutline(storage: ConversationStorage, id: string): Promise<string> {
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
export async function findDifferences(
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
