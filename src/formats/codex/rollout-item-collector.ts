import type { Message } from '../../canonical/model/message.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { openaiResponsesDialect } from '../../dialects/openai-responses/index.ts'
import {
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
  readStringOrEmpty,
} from '../../wire/json.ts'
import {
  decodeMessages,
  omitKeys,
  readTime,
  type SessionBuilder,
  withFields,
} from '../transcripts/session-builder.ts'
import type { TranscriptRecord } from '../transcripts/transcript.ts'
import { ANSWER_ONLY_FIELDS, CONTEXT_PREFIXES, ITEM_SIDES, NAME } from './constants.ts'

/** The fields of a line that are not noted with a message: the item itself. */
const NOTED_FIELDS = ['payload', 'type'] as const

type ItemSide = 'input' | 'results' | 'answer'

/** An item of the Responses API, and the line that it is from. */
interface RolloutItem {
  readonly item: JsonObject
  readonly at: TranscriptRecord
  /** What the line has besides the item. */
  readonly note: JsonObject
}

/**
 * Collects the items of a rollout file as messages: consecutive items of an answer, and consecutive results, become one message
 * each. The items are decoded by the codec of the Responses API.
 */
export class RolloutItemCollector {
  model: string | undefined
  readonly #session: SessionBuilder
  #side: ItemSide = 'input'
  #items: RolloutItem[] = []
  /** The parents of the prompts on the current branch, which a rollback returns to. */
  #turns: (string | undefined)[] = []
  #usage: Usage | undefined
  #count = 0

  constructor(session: SessionBuilder) {
    this.#session = session
  }

  add(item: JsonObject, at: TranscriptRecord, note: JsonObject = {}): void {
    const side = getSide(item)
    if (side !== this.#side || side === 'input') this.flush()
    if (isPrompt(item)) this.#turns.push(this.#session.tree().head)
    this.#side = side
    const type = readStringOrEmpty(item['type'])
    const answerOnly = Object.hasOwn(ANSWER_ONLY_FIELDS, type) ? (ANSWER_ONLY_FIELDS[type] ?? []) : []
    const noted = answerOnly.filter((field) => Object.hasOwn(item, field))
    // Older versions write fields without a value as null, which the API does not accept.
    const empty = Object.keys(item).filter((field) => item[field] === null)
    const fields = Object.fromEntries(noted.map((field) => [field, item[field] ?? null]))
    this.#items.push({ item: omitKeys(item, [...noted, ...empty]), at, note: { ...note, ...fields } })
  }

  /** Ends the open answer, which used the given tokens. */
  endAnswer(usage: Usage): void {
    if (this.#side !== 'answer' || this.#items.length === 0) return
    this.#usage = usage
    this.flush()
  }

  /** Returns to before the last prompts; what followed them stays as a branch. */
  rollBack(turns: number): void {
    this.flush()
    if (turns <= 0) return
    const start = Math.max(this.#turns.length - turns, 0)
    if (start < this.#turns.length) this.#session.tree().head = this.#turns[start]
    this.#turns.length = start
  }

  /** Starts the conversation again after a compaction; what was before it stays as a branch. */
  restart(): void {
    this.flush()
    this.#session.tree().head = undefined
    this.#turns = []
  }

  /** Ends the open message. */
  flush(): void {
    const items = this.#items
    const [first] = items
    const usage = this.#usage
    this.#items = []
    this.#usage = undefined
    if (first === undefined) return
    this.#count += 1
    const id = `${this.#session.id}-${this.#count}`
    const joined = items.slice(1).map(({ at }) => at)
    const messages = this.#session.tryRead(first.at, () => this.#decode(items, usage, id), joined)
    this.#session.tree().append(id, messages, first.at)
  }

  #decode(items: readonly RolloutItem[], usage: Usage | undefined, id: string): readonly Message[] {
    const messages = decodeMessages(openaiResponsesDialect, { input: items.map(({ item }) => item) })
    const model = this.model
    const origin = { dialect: 'openai-responses', ...omitUndefined({ model }) }
    // The message has the time of its first line.
    const notes = items
      .map(({ note, at }, index) => (index === 0 ? note : { ...omitKeys(at.record, NOTED_FIELDS), ...note }))
      .filter((note) => Object.keys(note).length > 0)
    const all = messages.map((message) =>
      message.role === 'assistant' ? { origin, ...omitUndefined({ usage }), ...message } : message,
    )
    const note: JsonObject = notes.length > 0 ? { records: notes } : {}
    return withFields(all, id, readTime(items[0]?.at.record['timestamp']), NAME, note)
  }
}

function getSide(item: JsonObject): ItemSide {
  const isMessage = item['type'] === 'message' || (item['type'] === undefined && item['role'] !== undefined)
  if (isMessage) return item['role'] === 'assistant' ? 'answer' : 'input'
  return ITEM_SIDES.get(item['type']) ?? 'answer'
}

/** Returns true for a message that the user wrote. */
function isPrompt(item: JsonObject): boolean {
  if (item['role'] !== 'user') return false
  const { content } = item
  const parts: readonly (Json | undefined)[] =
    typeof content === 'string' ? [{ text: content }] : itemsOf(content)
  return !parts.some(
    (part) =>
      isObject(part) &&
      typeof part['text'] === 'string' &&
      CONTEXT_PREFIXES.some((prefix) => (part['text'] as string).trimStart().startsWith(prefix)),
  )
}
