import type { Message } from '../../canonical/model/message.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { RecordSigns } from '../engine/format-signs.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import {
  omitKeys,
  readText,
  readTime,
  type SessionBuilder,
  withFields,
} from '../transcripts/session-builder.ts'
import type { TranscriptRecord } from '../transcripts/transcript.ts'
import type { RecordFile } from '../transcripts/parse-transcript-files.ts'
import type { TranscriptContext, TranscriptReader } from '../transcripts/transcript-reader.ts'
import { NAME } from './constants.ts'
import { readMessages } from './read.ts'
import { isEntry, toEntryMessage } from './session-branch.ts'

/** The signs of the session files of pi. */
const signs: RecordSigns = {
  title: 'a session file of pi',
  marks: [['an entry of a session', isEntry]],
}

/**
 * The reader of the session files of pi with all branches. Source: `SessionEntry` and `buildSessionContext` in
 * github.com/badlogic/pi-mono (packages/coding-agent/src/core/session-manager.ts).
 */
export const transcriptReader: TranscriptReader<typeof NAME> = {
  name: NAME,
  signs,
  read: (files, context) => {
    for (const file of files) new SessionFileReader(file, context).read()
  },
}

/** The fields of an entry that a message has fields for; a message has the id and the time of its first entry. */
const JOINED_FIELDS = ['content', 'message', 'parentId', 'summary', 'type'] as const
const FIRST_FIELDS = [...JOINED_FIELDS, 'id', 'timestamp'] as const

/** An entry with its id; entries of the first version follow each other and have none. */
interface Entry {
  readonly id: string
  readonly parent: string | undefined
  readonly at: TranscriptRecord
}

/** Reads one file: one session. */
class SessionFileReader {
  readonly #session: SessionBuilder
  readonly #entries = new Map<string, Entry>()
  readonly #childCounts = new Map<string, number>()
  /** The results that are joined to the first one of their round. */
  readonly #followers = new Map<string, string[]>()
  #last: Entry | undefined

  constructor({ records, path }: RecordFile, context: TranscriptContext) {
    const header = records.find(({ record }) => record['type'] === 'session')
    const fileName = /([^/\\]+)\.jsonl$/.exec(path)?.[1]
    this.#session = context.session(readText(header?.record['id']) ?? fileName ?? NAME)
    for (const at of records) this.#addRecord(at)
  }

  read(): void {
    const tree = this.#session.tree()
    const joined = this.#joinResults()
    const restart = this.#findRestart()
    for (const [id, { parent, at }] of this.#entries) {
      const target = joined.get(id)
      const followers = (this.#followers.get(id) ?? []).flatMap((each) => this.#entries.get(each)?.at ?? [])
      if (target !== undefined) tree.addAlias(id, target)
      else if (restart?.compaction.id === id) tree.add(id, undefined, this.#decodeRestart(restart), at)
      else tree.add(id, parent, this.#decode([at, ...followers], id), at)
    }
    tree.head = this.#last?.id
  }

  #addRecord(at: TranscriptRecord): void {
    const { record } = at
    if (record['type'] === 'session') return this.#readHeader(record)
    if (record['type'] === 'session_info') this.#session.fields.title = readText(record['name'])
    const id = readText(record['id']) ?? `${this.#session.id}-${at.line}`
    if (this.#entries.has(id)) {
      this.#session.addIssue(
        at,
        'conflict',
        'The entry has the id of an earlier one; it was kept as a record.',
      )
      return this.#session.keep(at)
    }
    const hasLink = Object.hasOwn(record, 'parentId')
    const parent = hasLink ? readText(record['parentId']) : this.#last?.id
    this.#last = { id, parent, at }
    this.#entries.set(id, this.#last)
    if (parent !== undefined) this.#childCounts.set(parent, (this.#childCounts.get(parent) ?? 0) + 1)
  }

  #readHeader(record: JsonObject): void {
    const { fields } = this.#session
    fields.workingDirectory = readText(record['cwd'])
    fields.createdAt = readTime(record['timestamp'])
    this.#session.addMetadata(omitKeys(record, ['cwd', 'id', 'timestamp', 'type']))
  }

  /** Returns the results that follow another result, with the id of the first one: together they are one message. */
  #joinResults(): Map<string, string> {
    const joined = new Map<string, string>()
    for (const [id, { parent, at }] of this.#entries) {
      const before = parent === undefined ? undefined : this.#entries.get(parent)
      const isNext = isResult(at.record) && before !== undefined && isResult(before.at.record)
      // Where a branch starts, the results stay separate. An entry before its parent is never joined to it.
      if (isNext && this.#childCounts.get(before.id) === 1 && before.at.line < at.line)
        joined.set(id, joined.get(before.id) ?? before.id)
    }
    for (const [id, target] of joined) {
      const followers = this.#followers.get(target) ?? []
      followers.push(id)
      this.#followers.set(target, followers)
    }
    return joined
  }

  #decode(records: readonly TranscriptRecord[], id: string): readonly Message[] {
    const [first, ...others] = records
    if (first === undefined) return []
    const read = (): readonly Message[] => {
      const items = records.flatMap(
        ({ record }) => toEntryMessage({ wire: record, path: child(undefined, first.line) }) ?? [],
      )
      const messages = readMessages(
        items.map(({ wire }) => wire),
        undefined,
        readingContext,
      )
      const [note = {}, ...joined] = records.map(({ record }, index) =>
        omitKeys(record, index === 0 ? FIRST_FIELDS : JOINED_FIELDS),
      )
      const all = joined.length > 0 ? { ...note, records: joined } : note
      return withFields(messages, id, readTime(first.record['timestamp']), NAME, all)
    }
    return this.#session.tryRead(first, read, others)
  }

  /** Returns the last compaction on the current branch, and the entries that it kept. */
  #findRestart(): Restart | undefined {
    const path: Entry[] = []
    const visited = new Set<string>()
    for (let entry = this.#last; entry !== undefined && !visited.has(entry.id);) {
      visited.add(entry.id)
      path.push(entry)
      entry = entry.parent === undefined ? undefined : this.#entries.get(entry.parent)
    }
    path.reverse()
    const position = path.findLastIndex(({ at }) => at.record['type'] === 'compaction')
    const compaction = path[position]
    if (compaction === undefined) return undefined
    const start = path.findIndex(({ id }) => id === compaction.at.record['firstKeptEntryId'])
    return { compaction, kept: start === -1 ? [] : path.slice(start, position) }
  }

  /**
   * Starts the current branch again: with the summary, and copies of the messages that the compaction kept. The original messages
   * stay as a branch, and only they count as usage.
   */
  #decodeRestart({ compaction, kept }: Restart): readonly Message[] {
    const messages = this.#decode(
      [compaction, ...kept].map(({ at }) => at),
      compaction.id,
    )
    return messages.map((message) => {
      if (message.role !== 'assistant') return message
      const { usage: _usage, ...copy } = message
      return copy
    })
  }
}

/** A compaction, and the entries before it that stay in the conversation. */
interface Restart {
  readonly compaction: Entry
  readonly kept: readonly Entry[]
}

const isResult = ({ message }: JsonObject): boolean =>
  typeof message === 'object' && message !== null && 'role' in message && message['role'] === 'toolResult'

/** The ids are set after reading. */
const readingContext: ReadingContext = { messageId: () => NAME, newId: () => NAME, report: () => {} }
