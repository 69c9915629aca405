import {
  getOwnValue,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  readStringOrEmpty,
} from '../../wire/json.ts'
import type { TranscriptRecord } from '../transcripts/transcript.ts'

/** Records that are one message: the blocks of an answer, or the results of its calls, each in a record of its own. */
export interface RecordGroup {
  readonly id: string
  readonly parent: string | undefined
  readonly kind: 'answer' | 'results' | 'single'
  readonly records: TranscriptRecord[]
  /** The results of the calls of an answer. */
  results?: RecordGroup
  /** The ids of the calls of an answer that have no result yet. */
  readonly openCalls: Set<string>
}

/**
 * Joins records to messages. Claude Code writes each block of an answer as a record with the id of the API's message, and each
 * tool result as a record that follows the block of its call. With parallel calls, the results are therefore on different
 * branches of the records, although all of them belong to the conversation.
 */
export class RecordGrouper {
  readonly groups: RecordGroup[] = []
  readonly #groupById = new Map<string, RecordGroup>()
  readonly #answers = new Map<string, RecordGroup>()

  has(id: string): boolean {
    return this.#groupById.has(id)
  }

  /** Adds a record that is no message: what follows it follows the group before it. */
  addLink(id: string, parent: string | undefined): void {
    const before = parent === undefined ? undefined : this.#groupById.get(parent)
    if (before !== undefined) this.#groupById.set(id, before)
  }

  /** Adds a record, and returns its group. */
  add(id: string, parent: string | undefined, record: TranscriptRecord): RecordGroup {
    const before = parent === undefined ? undefined : this.#groupById.get(parent)
    const blocks = listBlocks(record.record)
    const group =
      record.record['type'] === 'assistant'
        ? this.#joinAnswer(id, parent, before, record.record)
        : this.#joinResults(id, parent, before, blocks)
    for (const block of blocks)
      if (block['type'] === 'tool_use' && typeof block['id'] === 'string') group.openCalls.add(block['id'])
    group.records.push(record)
    this.#groupById.set(id, group)
    return group
  }

  #joinAnswer(
    id: string,
    parent: string | undefined,
    before: RecordGroup | undefined,
    record: JsonObject,
  ): RecordGroup {
    const message = record['message']
    const answerId = isObject(message) ? readStringOrEmpty(getOwnValue(message, 'id')) : ''
    const answer = this.#answers.get(answerId)
    // A copy of an answer on another branch is a message of its own.
    if (answer !== undefined && before !== undefined && (before === answer || before === answer.results))
      return answer
    const group = this.#start(id, parent, 'answer')
    if (answerId !== '') this.#answers.set(answerId, group)
    return group
  }

  #joinResults(
    id: string,
    parent: string | undefined,
    before: RecordGroup | undefined,
    blocks: readonly JsonObject[],
  ): RecordGroup {
    const calls = blocks.flatMap(({ type, tool_use_id: call }) =>
      type === 'tool_result' && typeof call === 'string' ? [call] : [],
    )
    const answer = before?.kind === 'results' ? this.#groupById.get(before.parent ?? '') : before
    const isRound =
      answer?.kind === 'answer' &&
      calls.length > 0 &&
      calls.length === blocks.length &&
      calls.every((call) => answer.openCalls.has(call))
    if (!isRound) return this.#start(id, parent, 'single')
    for (const call of calls) answer.openCalls.delete(call)
    return (answer.results ??= this.#start(id, answer.id, 'results'))
  }

  #start(id: string, parent: string | undefined, kind: RecordGroup['kind']): RecordGroup {
    const group: RecordGroup = { id, parent, kind, records: [], openCalls: new Set() }
    this.groups.push(group)
    return group
  }
}

/** Returns the content blocks of a record. */
function listBlocks({ message }: JsonObject): readonly JsonObject[] {
  if (!isObject(message)) return []
  return itemsOf(getOwnValue(message, 'content') as Json).filter((block): block is JsonObject =>
    isObject(block),
  )
}
