import { user } from '../../canonical/build/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import {
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
  readStringOrEmpty,
} from '../../wire/json.ts'
import {
  hasItem,
  hasList,
  hasObject,
  hasText,
  isAny,
  isEvery,
  type RecordSigns,
} from '../engine/format-signs.ts'
import { omitKeys, readText, type SessionBuilder, withFields } from '../transcripts/session-builder.ts'
import type { TranscriptReader } from '../transcripts/transcript-reader.ts'
import type { TranscriptRecord } from '../transcripts/transcript.ts'
import { NAME } from './constants.ts'
import { decodeItem, decodeThinking, listStates, toNote } from './history-item.ts'

/** The signs of a session file of Continue. */
const signs: RecordSigns = {
  title: 'a session file of Continue',
  marks: [
    [
      '`sessionId` and a `history` of items with `message`',
      isEvery(
        hasText('sessionId'),
        hasList('history'),
        isAny(hasText('workspaceDirectory'), hasItem('history', hasObject('message', hasText('role')))),
      ),
    ],
  ],
}

/** The reader of the session files of Continue. */
export const transcriptReader: TranscriptReader<typeof NAME> = {
  name: NAME,
  signs,
  read: (files, context) => {
    for (const { records } of files)
      for (const at of records) {
        const session = context.session(readText(at.record['sessionId']) ?? NAME)
        if (Array.isArray(at.record['history'])) readSession(at, session)
        else session.keep(at)
      }
  },
}

function readSession(at: TranscriptRecord, session: SessionBuilder): void {
  const { record } = at
  const { fields } = session
  fields.title = readText(record['title'])
  fields.workingDirectory = readText(record['workspaceDirectory'])
  session.addMetadata(omitKeys(record, ['history', 'sessionId', 'title', 'workspaceDirectory']))
  const history = itemsOf(record['history']).map((item, index): TranscriptRecord => {
    return { ...at, line: index + 1, record: isObject(item) ? item : { item } }
  })
  new HistoryReader(session, history, readText(record['chatModelTitle'])).read()
}

/** Reads the items of a history. */
class HistoryReader {
  readonly #session: SessionBuilder
  readonly #history: readonly TranscriptRecord[]
  readonly #model: string | undefined
  /** The calls whose results are messages of their own. */
  readonly #answered: ReadonlySet<string>
  /** The reasoning that precedes the next answer. */
  #reasoning: AssistantPart[] = []
  #notes: JsonObject[] = []

  constructor(session: SessionBuilder, history: readonly TranscriptRecord[], model: string | undefined) {
    this.#session = session
    this.#history = history
    this.#model = model
    this.#answered = new Set(history.flatMap(({ record: { message } }) => readAnsweredCall(message)))
  }

  read(): void {
    for (const at of this.#history) {
      const { message } = at.record
      if (!isObject(message) || typeof message['role'] !== 'string') this.#session.keep(at)
      else if (message['role'] === 'thinking') this.#addThinking(message, at)
      else this.#addItem(at)
    }
  }

  #addThinking(message: JsonObject, at: TranscriptRecord): void {
    for (const read of this.#session.tryRead(at, () => decodeThinking(message)))
      if (read.role === 'assistant') this.#reasoning = this.#reasoning.concat(read.content)
    const note = toNote({ ...at.record, message: omitKeys(message, ['signature', 'redactedThinking']) })
    if (Object.keys(note).length > 0) this.#notes.push(note)
  }

  #addItem(at: TranscriptRecord): void {
    const tree = this.#session.tree()
    const id = `${this.#session.id}-${at.line}`
    tree.append(
      id,
      this.#session.tryRead(at, () => this.#decode(at.record, id)),
      at,
    )
    // A summary replaces its item and everything before it.
    const summary = readText(at.record['conversationSummary'])
    if (summary === undefined) return
    tree.head = undefined
    tree.append(`${id}~summary`, [user(summary, { id: `${id}~summary` })], at)
  }

  #decode(item: JsonObject, id: string): readonly Message[] {
    const isAnswer = (item['message'] as JsonObject)['role'] === 'assistant'
    const reasoning = isAnswer ? this.#reasoning : []
    const notes = isAnswer ? this.#notes : []
    if (isAnswer) {
      this.#reasoning = []
      this.#notes = []
    }
    const states = listStates(item).filter(
      ({ toolCallId }) => !this.#answered.has(readStringOrEmpty(toolCallId)),
    )
    const usage = readUsage((item['message'] as JsonObject)['usage'])
    const origin = { dialect: 'openai-chat', ...omitUndefined({ model: this.#model }) }
    const messages = decodeItem({ ...item, toolCallStates: states }, reasoning).map((message) =>
      message.role === 'assistant' ? { origin, ...omitUndefined({ usage }), ...message } : message,
    )
    const note = { ...toNote(item), ...(notes.length > 0 && { reasoning: notes }) }
    return withFields(messages, id, undefined, NAME, note)
  }
}

function readAnsweredCall(message: Json | undefined): readonly string[] {
  if (!isObject(message) || message['role'] !== 'tool') return []
  return typeof message['toolCallId'] === 'string' ? [message['toolCallId']] : []
}

/** Reads `{ promptTokens, completionTokens, promptTokensDetails: { cachedTokens, cacheWriteTokens } }`. */
function readUsage(usage: Json | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined
  const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
  const [inputTokens, outputTokens] = [count(usage['promptTokens']), count(usage['completionTokens'])]
  if (inputTokens + outputTokens === 0) return undefined
  const details = isObject(usage['promptTokensDetails']) ? usage['promptTokensDetails'] : {}
  const cachedInputTokens = count(details['cachedTokens'])
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, cachedInputTokens }
}
