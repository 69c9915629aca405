import { getOwnValue, isEqualJson, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import {
  hasKeys,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  type RecordSigns,
} from '../engine/format-signs.ts'
import { omitKeys, readText, readTime, type SessionBuilder } from '../transcripts/session-builder.ts'
import type { RecordFile } from '../transcripts/parse-transcript-files.ts'
import type { TranscriptContext, TranscriptReader } from '../transcripts/transcript-reader.ts'
import type { TranscriptRecord } from '../transcripts/transcript.ts'
import { MESSAGE_TYPES, NAME } from './constants.ts'
import { decodeRecord, listAnsweredCalls } from './contents.ts'

/** The signs of a chat file of Gemini CLI: one JSON document, or lines in versions since 0.40. */
const signs: RecordSigns = {
  title: 'a chat file of Gemini CLI',
  marks: [
    ['`sessionId` and `projectHash`', isEvery(hasText('sessionId'), hasText('projectHash'))],
    [
      'a message of the type gemini',
      isEvery(
        hasValue('type', 'gemini'),
        hasText('id'),
        isAny(hasKeys('tokens'), hasKeys('thoughts'), hasKeys('toolCalls'), hasKeys('model')),
      ),
    ],
    ['`$set`', hasObject('$set')],
    ['`$rewindTo`', hasText('$rewindTo')],
  ],
}

/** The reader of the chat files of Gemini CLI. */
export const transcriptReader: TranscriptReader<typeof NAME> = {
  name: NAME,
  signs,
  read: (files, context) => {
    for (const file of files) new ChatFileReader(file, context).read()
  },
}

/** A message of the file, and its place in the tree. */
interface ChatMessage {
  readonly id: string
  record: TranscriptRecord
  readonly parent: ChatMessage | undefined
  /** Its position on its branch. */
  readonly index: number
}

/** Reads one file: one session. */
class ChatFileReader {
  readonly #file: RecordFile
  readonly #session: SessionBuilder
  readonly #all: ChatMessage[] = []
  /** The newest message with an id, which may be on another branch than the current one. */
  readonly #byId = new Map<string, ChatMessage>()
  readonly #branch: ChatMessage[] = []

  constructor(file: RecordFile, context: TranscriptContext) {
    this.#file = file
    const [id] = file.records.flatMap(({ record }) => readText(record['sessionId']) ?? [])
    this.#session = context.session(id ?? /([^/\\]+)\.jsonl?$/.exec(file.path)?.[1] ?? NAME)
  }

  read(): void {
    for (const at of this.#file.records) this.#readRecord(at)
    const answered = new Set(this.#all.flatMap(({ record }) => listAnsweredCalls(record.record)))
    const tree = this.#session.tree()
    for (const { id, record, parent } of this.#all) {
      const messages = this.#session.tryRead(record, () => decodeRecord(record.record, id, answered))
      tree.add(id, parent?.id, messages, record)
    }
    tree.head = this.#branch.at(-1)?.id
  }

  #readRecord(at: TranscriptRecord): void {
    const { record } = at
    const rewound = readText(record['$rewindTo'])
    if (rewound !== undefined) {
      this.#rewind(rewound)
      return this.#session.keep(at)
    }
    if (typeof record['id'] === 'string' && record['type'] !== undefined) return this.#addMessage(at)
    const changes = isObject(record['$set']) ? record['$set'] : record
    const isMetadata = changes !== record || typeof record['sessionId'] === 'string'
    if (!isMetadata) return this.#session.keep(at)
    this.#readMetadata(changes)
    if (Array.isArray(changes['messages'])) this.#replaceMessages(itemsOf(changes['messages']), at)
  }

  #readMetadata(record: JsonObject): void {
    const { fields } = this.#session
    fields.title = readText(record['summary']) ?? fields.title
    fields.createdAt = readTime(record['startTime']) ?? fields.createdAt
    fields.updatedAt = readTime(record['lastUpdated']) ?? fields.updatedAt
    fields.workingDirectory ??= readText(itemsOf(record['directories'])[0])
    this.#session.addMetadata(
      omitKeys(record, ['messages', 'sessionId', 'startTime', 'lastUpdated', 'summary']),
    )
    // Sub-agents are stored in a folder with the id of the session that started them.
    const folder = /([^/\\]+)[/\\][^/\\]+$/.exec(this.#file.path)?.[1]
    if (record['kind'] === 'subagent' && folder !== 'chats') fields.parentSession = folder
  }

  /** A message with the id of an earlier one is its newer version. */
  #addMessage(at: TranscriptRecord): void {
    const { record } = at
    if (!MESSAGE_TYPES.some((type) => type === record['type'])) return this.#session.keep(at)
    const id = record['id'] as string
    const existing = this.#find(id)
    if (existing === undefined) this.#push(id, at)
    else existing.record = at
  }

  /** Returns the message with an id on the current branch. */
  #find(id: string): ChatMessage | undefined {
    const found = this.#byId.get(id)
    return found !== undefined && this.#branch[found.index] === found ? found : undefined
  }

  #push(id: string, record: TranscriptRecord): void {
    // A rewound message, and the one that replaces it, may have the same id.
    const unique = this.#byId.has(id) ? `${id}~${this.#all.length}` : id
    const index = this.#branch.length
    const message: ChatMessage = { id: unique, record, parent: this.#branch.at(-1), index }
    this.#all.push(message)
    this.#byId.set(id, message)
    this.#branch.push(message)
  }

  /** Returns to before a message; an unknown one empties the conversation, as in Gemini CLI. */
  #rewind(id: string): void {
    this.#branch.length = this.#find(id)?.index ?? 0
  }

  /** Replaces the conversation: the messages at its start that are the same stay, and the others start a branch. */
  #replaceMessages(items: readonly Json[], at: TranscriptRecord): void {
    const records = items.filter((item): item is JsonObject => isObject(item))
    let shared = 0
    while (shared < records.length && isSame(this.#branch[shared], records[shared])) shared += 1
    this.#branch.length = Math.min(shared, this.#branch.length)
    records.slice(shared).forEach((record, index) => {
      const line = this.#file.isDocument ? shared + index + 1 : at.line
      const located = { ...at, line, record }
      if (typeof record['id'] === 'string') this.#addMessage(located)
      else this.#session.keep(located)
    })
  }
}

function isSame(message: ChatMessage | undefined, record: JsonObject | undefined): boolean {
  if (message === undefined || record === undefined) return false
  const { record: known } = message.record
  return (
    known['id'] === record['id'] && isEqualJson(getOwnValue(known, 'content'), getOwnValue(record, 'content'))
  )
}
