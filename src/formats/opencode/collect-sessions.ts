import { getOwnValue, isObject, itemsOf, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import { readText } from '../transcripts/session-builder.ts'
import type { TranscriptRecord } from '../transcripts/transcript.ts'
import type { RecordFile } from '../transcripts/parse-transcript-files.ts'
import { NAME } from './constants.ts'

/** A message with its parts. */
export interface StoredMessage {
  readonly id: string
  readonly info: JsonObject
  readonly parts: readonly JsonObject[]
  readonly at: TranscriptRecord
}

/** A session with its messages in order. */
export interface StoredSession {
  readonly id: string
  readonly info: JsonObject | undefined
  readonly messages: readonly StoredMessage[]
  /** Records that are neither the session nor messages. */
  readonly others: readonly TranscriptRecord[]
}

interface SessionInProgress {
  info?: JsonObject
  readonly messages: {
    readonly id: string
    readonly info: JsonObject
    readonly parts: JsonObject[]
    readonly at: TranscriptRecord
  }[]
  readonly others: TranscriptRecord[]
}

/**
 * Collects sessions: from exports, each `{ info, messages: [{ info, parts }] }`, or from the files of the storage, in which each
 * session, message and part is a file of its own. Ids are ordered by time, and so are the messages and parts.
 */
export function collectSessions(files: readonly RecordFile[]): readonly StoredSession[] {
  const sessions = new Map<string, SessionInProgress>()
  const messages = new Map<string, SessionInProgress['messages'][number]>()
  const parts: TranscriptRecord[] = []
  const open = (id: string): SessionInProgress => {
    const found = sessions.get(id) ?? { messages: [], others: [] }
    sessions.set(id, found)
    return found
  }
  const addMessage = (info: JsonObject, at: TranscriptRecord, given: readonly JsonObject[]): void => {
    const message = { id: readText(info['id']) ?? `${NAME}-${at.line}`, info, parts: [...given], at }
    const session = open(readText(info['sessionID']) ?? NAME)
    if (messages.has(message.id))
      return void session.others.push({ ...at, record: { info, parts: [...given] } })
    messages.set(message.id, message)
    session.messages.push(message)
  }
  for (const { records } of files)
    for (const at of records) {
      const { record } = at
      const { info } = record
      if (isObject(info) && Array.isArray(record['messages'])) {
        const session = open(readText(info['id']) ?? NAME)
        session.info = info
        addExportedMessages(record, at, addMessage, session)
      } else if (typeof record['messageID'] === 'string') parts.push(at)
      else if (typeof record['sessionID'] === 'string' && typeof record['role'] === 'string')
        addMessage(record, at, [])
      else if (typeof record['id'] === 'string' && isObject(record['time'])) open(record['id']).info = record
      else open(readText(record['sessionID']) ?? sessions.keys().next().value ?? NAME).others.push(at)
    }
  for (const at of parts.toSorted(compareIds)) {
    const message = messages.get(readStringOrEmpty(at.record['messageID']))
    if (message === undefined) open(readText(at.record['sessionID']) ?? NAME).others.push(at)
    else message.parts.push(at.record)
  }
  return [...sessions].map(([id, { info, messages: list, others }]) => ({
    id,
    info,
    messages: list.toSorted((a, b) => compareTimes(a.info, b.info)),
    others,
  }))
}

function addExportedMessages(
  record: JsonObject,
  at: TranscriptRecord,
  addMessage: (info: JsonObject, at: TranscriptRecord, parts: readonly JsonObject[]) => void,
  session: SessionInProgress,
): void {
  itemsOf(record['messages']).forEach((item, index) => {
    const info = isObject(item) ? getOwnValue(item, 'info') : undefined
    const located = { ...at, line: index + 1, record: isObject(item) ? item : {} }
    if (!isObject(info)) return void session.others.push(located)
    const given = itemsOf(located.record['parts']).filter((part): part is JsonObject => isObject(part))
    addMessage({ sessionID: readText((session.info ?? {})['id']) ?? NAME, ...info }, located, given)
  })
  const { info: _info, messages: _messages, ...rest } = record
  if (Object.keys(rest).length > 0) session.others.push({ ...at, record: rest })
}

const compareIds = (a: TranscriptRecord, b: TranscriptRecord): number =>
  compareTexts(readStringOrEmpty(a.record['id']), readStringOrEmpty(b.record['id']))

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function compareTimes(a: JsonObject, b: JsonObject): number {
  const difference = getCreationTime(a) - getCreationTime(b)
  return difference === 0 ? compareTexts(readStringOrEmpty(a['id']), readStringOrEmpty(b['id'])) : difference
}

function getCreationTime({ time }: JsonObject): number {
  const created = isObject(time) ? time['created'] : undefined
  return typeof created === 'number' && Number.isFinite(created) ? created : 0
}
