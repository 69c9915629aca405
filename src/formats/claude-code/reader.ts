import type { Message } from '../../canonical/model/message.ts'
import { anthropicDialect } from '../../dialects/anthropic/index.ts'
import { getOwnValue, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { hasKeys, hasObject, hasText, hasValue, isEvery, type RecordSigns } from '../engine/format-signs.ts'
import {
  decodeMessages,
  omitKeys,
  readText,
  readTime,
  type SessionBuilder,
  withFields,
} from '../transcripts/session-builder.ts'
import type { RecordFile } from '../transcripts/parse-transcript-files.ts'
import type { TranscriptContext, TranscriptReader } from '../transcripts/transcript-reader.ts'
import { MAIN_SECTION, type TranscriptRecord } from '../transcripts/transcript.ts'
import { type RecordGroup, RecordGrouper } from './record-grouper.ts'
import {
  JOINED_FIELDS,
  MESSAGE_FIELDS,
  NAME,
  SESSION_FIELDS,
  SYNTHETIC_MODEL,
  TITLE_FIELDS,
} from './constants.ts'

/** The signs of the lines of a session file of Claude Code. */
const signs: RecordSigns = {
  title: 'a session file of Claude Code',
  marks: [
    [
      'a record with `uuid` and `parentUuid`',
      isEvery(hasText('type'), hasText('uuid'), hasKeys('parentUuid', 'isSidechain')),
    ],
    ['a summary with `leafUuid`', isEvery(hasValue('type', 'summary'), hasText('leafUuid'))],
    [
      'a snapshot of files',
      isEvery(hasValue('type', 'file-history-snapshot'), hasText('messageId'), hasObject('snapshot')),
    ],
    [
      'a note about the session',
      isEvery(
        hasText('sessionId'),
        hasValue(
          'type',
          'queue-operation',
          'custom-title',
          'ai-title',
          'agent-name',
          'agent-setting',
          'permission-mode',
          'mode',
          'pr-link',
          'last-prompt',
          'bridge-session',
        ),
      ),
    ],
  ],
}

/** The reader of the session files of Claude Code. */
export const transcriptReader: TranscriptReader<typeof NAME> = {
  name: NAME,
  signs,
  read: (files, context) => {
    // A file of a sub-agent has the id of the session that started it; it is read after the file of that session.
    const [main, sub] = [files.filter((file) => !isSubAgentFile(file)), files.filter(isSubAgentFile)]
    for (const file of [...main, ...sub]) new SessionFileReader(file, context).read()
  },
}

const isSidechain = (record: JsonObject): boolean => record['isSidechain'] === true

function isSubAgentFile({ records }: RecordFile): boolean {
  return (
    records.some(({ record }) => isSidechain(record)) &&
    !records.some(({ record }) => record['isSidechain'] === false)
  )
}

/** Reads one file: one session, or one sub-agent of a session. */
class SessionFileReader {
  readonly #records: readonly TranscriptRecord[]
  readonly #session: SessionBuilder
  readonly #grouper = new RecordGrouper()
  readonly #sections = new Map<string, string>()
  readonly #common: JsonObject

  constructor({ records, path }: RecordFile, context: TranscriptContext) {
    this.#records = records
    this.#common = findCommonFields(records)
    const fileName = /([^/\\]+)\.jsonl$/.exec(path)?.[1]
    this.#session = context.session(readText(this.#common['sessionId']) ?? fileName ?? NAME)
  }

  read(): void {
    const { fields } = this.#session
    fields.workingDirectory ??= readText(this.#common['cwd'])
    this.#session.addMetadata(omitKeys(this.#common, ['cwd', 'sessionId']))
    for (const at of this.#records) this.#addRecord(at)
    for (const [type, field] of TITLE_FIELDS)
      for (const { record } of this.#records)
        if (record['type'] === type) fields.title = readText(record[field]) ?? fields.title
    for (const group of this.#grouper.groups) this.#addGroup(group)
  }

  #addRecord(at: TranscriptRecord): void {
    const { record } = at
    const id = readText(record['uuid'])
    if (id === undefined) return this.#session.keep(at)
    const parent = readText(record['parentUuid'])
    const section = this.#findSection(record, id, parent)
    const tree = this.#session.tree(section)
    if (tree.has(id) || this.#grouper.has(id)) return this.#addDuplicate(at)
    this.#sections.set(id, section)
    if (!isMessageRecord(record)) {
      tree.add(id, parent, [], at)
      this.#grouper.addLink(id, parent)
      return this.#session.keep(at)
    }
    const group = this.#grouper.add(id, parent, at)
    if (group.id !== id) tree.addAlias(id, group.id)
    tree.head = group.id
  }

  /** Claude Code copies the records of a session that it resumes; a record that was copied is read once. */
  #addDuplicate(at: TranscriptRecord): void {
    this.#session.addIssue(
      at,
      'conflict',
      'The record has the `uuid` of an earlier one; it was kept as a record.',
    )
    this.#session.keep(at)
  }

  #findSection(record: JsonObject, id: string, parent: string | undefined): string {
    if (!isSidechain(record)) return MAIN_SECTION
    // Records of older versions have no `agentId`: the first prompt of the sub-agent names it.
    const agent = readText(record['agentId']) ?? id
    return (
      (parent === undefined || readText(record['agentId']) !== undefined
        ? undefined
        : this.#sections.get(parent)) ?? `agent-${agent.slice(0, 200)}`
    )
  }

  #addGroup(group: RecordGroup): void {
    const [first, ...joined] = group.records
    if (first === undefined) return
    const tree = this.#session.tree(this.#sections.get(group.id) ?? MAIN_SECTION)
    const messages = this.#session.tryRead(first, () => this.#decode(group, first), joined)
    tree.add(group.id, group.parent, messages, first)
  }

  #decode(group: RecordGroup, first: TranscriptRecord): readonly Message[] {
    const notes = group.records.map(({ record }, index) => this.#toNote(record, index === 0))
    const note: JsonObject = notes.length === 1 ? (notes[0] ?? {}) : { records: notes }
    const messages = group.kind === 'answer' ? decodeAnswer(group.records) : decodeInput(group.records)
    return withFields(messages, group.id, readTime(first.record['timestamp']), NAME, note)
  }

  /** Returns what a record has besides its message, without what is the same for the whole session. */
  #toNote(record: JsonObject, isFirst: boolean): JsonObject {
    const repeated = SESSION_FIELDS.filter((field) => record[field] === this.#common[field])
    const own = isFirst ? MESSAGE_FIELDS : JOINED_FIELDS
    return omitKeys(record, [...own, 'isSidechain', ...repeated])
  }
}

/** Returns the fields that describe the session, with the value of the last record that has them. */
function findCommonFields(records: readonly TranscriptRecord[]): JsonObject {
  const common: { [field: string]: Json } = {}
  for (const { record } of records)
    for (const field of SESSION_FIELDS) {
      const value = record[field]
      if (typeof value === 'string') common[field] = value
    }
  return common
}

function isMessageRecord({ type, message }: JsonObject): boolean {
  return (
    (type === 'user' || type === 'assistant') && isObject(message) && message['model'] !== SYNTHETIC_MODEL
  )
}

/** Decodes the blocks of an answer, which has the fields of the last record. */
function decodeAnswer(records: readonly TranscriptRecord[]): readonly Message[] {
  const messages = records.map(({ record }) => record['message'] as JsonObject)
  const content = messages.flatMap((message) => itemsOf(getOwnValue(message, 'content') as Json))
  return anthropicDialect.decodeResponse({ type: 'message', ...messages.at(-1), content }).value.candidates
}

/** Decodes a prompt, or the results of one round of tool calls. */
function decodeInput(records: readonly TranscriptRecord[]): readonly Message[] {
  const messages = records.map(({ record }) => record['message'] as JsonObject)
  const [only] = messages
  const content = messages.flatMap((message) => itemsOf(message['content']))
  const joined = messages.length === 1 ? only : { role: 'user', content }
  return decodeMessages(anthropicDialect, { messages: [joined ?? {}] })
}
