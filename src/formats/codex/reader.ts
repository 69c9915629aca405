import type { Usage } from '../../canonical/model/usage.ts'
import {
  getOwnValue,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  readStringOrEmpty,
} from '../../wire/json.ts'
import { hasKeys, hasObject, hasText, hasValue, isEvery, type RecordSigns } from '../engine/format-signs.ts'
import { omitKeys, readText, readTime, type SessionBuilder } from '../transcripts/session-builder.ts'
import type { RecordFile } from '../transcripts/parse-transcript-files.ts'
import type { TranscriptContext, TranscriptReader } from '../transcripts/transcript-reader.ts'
import type { TranscriptRecord } from '../transcripts/transcript.ts'
import { LINE_TYPES, NAME, PRIVATE_ITEMS, USAGE_FIELDS } from './constants.ts'
import { RolloutItemCollector } from './rollout-item-collector.ts'

/** The signs of the lines of a rollout file of Codex. */
const signs: RecordSigns = {
  title: 'a rollout file of Codex',
  marks: [
    [
      'a line with `timestamp`, `type` and `payload`',
      isEvery(hasText('timestamp'), hasValue('type', ...LINE_TYPES), hasObject('payload')),
    ],
    // The first line of files before version 0.32.
    ['a header with `instructions`', isEvery(hasText('id'), hasText('timestamp'), hasKeys('instructions'))],
    ['a record of the type state', hasText('record_type')],
  ],
}

/** The reader of the rollout files of Codex. */
export const transcriptReader: TranscriptReader<typeof NAME> = {
  name: NAME,
  signs,
  read: (files, context) => {
    for (const file of files) new RolloutReader(file, context).read()
  },
}

const isLine = ({ type, payload }: JsonObject): boolean =>
  isObject(payload) && LINE_TYPES.some((each) => each === type)

/** Reads one file: one session. */
class RolloutReader {
  readonly #records: readonly TranscriptRecord[]
  readonly #session: SessionBuilder
  readonly #collector: RolloutItemCollector
  #hasMeta = false
  #totalTokens: Json | undefined

  constructor({ records, path }: RecordFile, context: TranscriptContext) {
    this.#records = records
    this.#session = context.session(findSessionId(records) ?? /([^/\\]+)\.jsonl$/.exec(path)?.[1] ?? NAME)
    this.#collector = new RolloutItemCollector(this.#session)
  }

  read(): void {
    for (const at of this.#records) this.#readRecord(at)
    this.#collector.flush()
  }

  #readRecord(at: TranscriptRecord): void {
    const { record } = at
    if (!isLine(record)) return this.#readOldLine(at)
    const payload = record['payload'] as JsonObject
    switch (readStringOrEmpty(record['type'])) {
      case 'session_meta':
        return this.#readMeta(payload, at)
      case 'response_item':
        return this.#readItem(payload, at, omitKeys(record, ['payload', 'timestamp', 'type']))
      case 'compacted':
        return this.#readCompaction(payload, at)
      case 'turn_context':
        this.#collector.flush()
        this.#collector.model = readText(payload['model']) ?? this.#collector.model
        break
      case 'event_msg':
        this.#readEvent(payload)
        break
    }
    this.#session.keep(at)
  }

  /** Reads a line of files before version 0.32, which are the header and bare items. */
  #readOldLine(at: TranscriptRecord): void {
    const { record } = at
    if (Object.hasOwn(record, 'instructions') && !this.#hasMeta) return this.#readMeta(record, at)
    const isItem = typeof record['type'] === 'string' && !Object.hasOwn(record, 'payload')
    return isItem && isKnownItem(record) ? this.#readItem(record, at, {}) : this.#session.keep(at)
  }

  /** The first line is that of the session; a fork contains also that of the session that it was forked from. */
  #readMeta(meta: JsonObject, at: TranscriptRecord): void {
    if (this.#hasMeta) return this.#session.keep(at)
    this.#hasMeta = true
    const { fields } = this.#session
    fields.workingDirectory = readText(meta['cwd'])
    fields.createdAt = readTime(meta['timestamp'])
    fields.parentSession = readText(meta['parent_thread_id']) ?? findSpawningThread(meta['source'])
    this.#session.addMetadata(omitKeys(meta, ['cwd', 'timestamp']))
  }

  #readItem(item: JsonObject, at: TranscriptRecord, note: JsonObject): void {
    if (PRIVATE_ITEMS.has(item['type'])) return this.#session.keep(at)
    this.#collector.add(item, at, note)
  }

  /** A compaction replaces the history: by the given items, or by the summary as a message of the user. */
  #readCompaction(payload: JsonObject, at: TranscriptRecord): void {
    this.#collector.restart()
    const { message: text, replacement_history: history } = payload
    const note = omitKeys(payload, ['replacement_history', ...(Array.isArray(history) ? [] : ['message'])])
    const items = itemsOf(history).filter((item): item is JsonObject => isObject(item))
    const summary = { type: 'message', role: 'user', content: [{ type: 'input_text', text: text ?? '' }] }
    const [first, ...rest] = Array.isArray(history) ? items : [summary]
    if (first === undefined) return this.#session.keep(at)
    this.#collector.add(first, at, { compacted: note })
    for (const item of rest) this.#collector.add(item, at)
    this.#collector.flush()
  }

  #readEvent(payload: JsonObject): void {
    const { type, num_turns: turns, info } = payload
    if (type === 'thread_rolled_back' && typeof turns === 'number') this.#collector.rollBack(turns)
    if (type === 'thread_name_updated') this.#session.fields.title = readText(payload['thread_name'])
    if (type !== 'token_count' || !isObject(info)) return
    const total = getOwnValue(info, 'total_token_usage') as Json | undefined
    const totalTokens = isObject(total) ? (total[USAGE_FIELDS.total] as Json) : undefined
    const usage = readUsage(getOwnValue(info, 'last_token_usage') as Json)
    // The same count is written again when only the rate limits have changed.
    if (usage === undefined || totalTokens === this.#totalTokens) return
    this.#totalTokens = totalTokens
    this.#collector.endAnswer(usage)
  }
}

function findSessionId(records: readonly TranscriptRecord[]): string | undefined {
  for (const { record } of records) {
    const meta = isObject(record['payload']) ? record['payload'] : record
    if (record['type'] === 'session_meta' || Object.hasOwn(record, 'instructions'))
      return readText(meta['id'])
  }
  return undefined
}

/** Items of old files have no mark of their own: a type of the Responses API, or a role. */
function isKnownItem({ type, role, call_id: call, summary }: JsonObject): boolean {
  return (
    (type === 'message' && role !== undefined) ||
    call !== undefined ||
    (type === 'reasoning' && summary !== undefined)
  )
}

/** Returns the id of the thread in `{ subagent: { thread_spawn: { parent_thread_id } } }`. */
function findSpawningThread(source: Json | undefined): string | undefined {
  const agent = isObject(source) ? source['subagent'] : undefined
  const spawn = isObject(agent) ? agent['thread_spawn'] : undefined
  return isObject(spawn) ? readText(spawn['parent_thread_id']) : undefined
}

function readUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined
  const count = (field: keyof typeof USAGE_FIELDS): number => {
    const value = wire[USAGE_FIELDS[field]]
    return typeof value === 'number' && Number.isFinite(value) ? value : 0
  }
  const usage = { inputTokens: count('input'), outputTokens: count('output'), totalTokens: count('total') }
  if (usage.inputTokens + usage.outputTokens === 0) return undefined
  return { ...usage, cachedInputTokens: count('cachedInput'), reasoningTokens: count('reasoning') }
}
