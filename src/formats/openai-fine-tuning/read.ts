import type { ChatRequest } from '../../canonical/model/request.ts'
import { attachResidue } from '../../dialects/engine/residue-slots.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { getOwnValue, itemsOf, type JsonObject } from '../../wire/json.ts'
import type { ConversationContent } from '../engine/conversation-codec.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { hasList, hasObject, isAny, isEvery, type MessageTest } from '../engine/format-signs.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { withParent } from '../engine/message-tree.ts'
import { readWireRecord, requireMessages } from '../engine/wire-record.ts'
import { CHAT_SLOT, FINE_TUNING_SLOT, PAIR_KEYS, RECORD_FORMAT } from './constants.ts'
import { moveWeight, writeRecord } from './write.ts'

/** Matches a preference pair: an input, and a preferred and another answer. */
export const isPair: MessageTest = isEvery(
  hasObject('input', hasList('messages')),
  isAny(...PAIR_KEYS.map(({ preferred, rejected }) => isEvery(hasList(preferred), hasList(rejected)))),
)

/** Reads a line. Of a preference pair, the preferred answer is the current branch. */
export function readRecord(
  record: JsonObject,
  path: Path | undefined,
  context: ReadingContext,
): ConversationContent {
  if (isPair(record)) return readPair(record, path, context)
  return { request: readRequest(record, path, context) }
}

function readRequest(body: JsonObject, path: Path | undefined, context: ReadingContext): ChatRequest {
  const request = readWireRecord(RECORD_FORMAT, body, path, context)
  const messages = [...request.messages].map((message) => moveWeight(message, CHAT_SLOT, FINE_TUNING_SLOT))
  return { ...request, messages: Object.freeze(messages) }
}

function readPair(record: JsonObject, path: Path | undefined, context: ReadingContext): ConversationContent {
  const hasList = (key: string): boolean => Array.isArray(getOwnValue(record, key))
  const pair = PAIR_KEYS.findIndex(({ preferred, rejected }) => hasList(preferred) && hasList(rejected))
  const keys = PAIR_KEYS[pair] ?? PAIR_KEYS[0]
  const { messageSigns } = RECORD_FORMAT
  const input = record['input'] as JsonObject
  const questions = requireMessages(input, 'messages', child(path, 'input'), messageSigns)
  const preferred = requireMessages(record, keys.preferred, path, messageSigns)
  const rejected = requireMessages(record, keys.rejected, path, messageSigns)
  const read = (body: JsonObject): ChatRequest => readRequest(body, path, context)
  const request = read({ ...input, messages: [...questions, ...preferred] })
  const hints = { pair, preferred: preferred.length, rejected: itemsOf(record[keys.rejected]) }
  const branch = [...request.messages].map((message, index, all) => withParent(message, all[index - 1]))
  const others = [...read({ messages: rejected }).messages]
  const fork = branch[countQuestions(read, questions) - 1]
  const chained = others.map((message, index) => withParent(message, index === 0 ? fork : others[index - 1]))
  return {
    request: attachResidue(request, FINE_TUNING_SLOT, hints, record, (unit) =>
      writeRecord(
        {
          request: unit,
          messages: [...unit.messages].map((message, index) => ({ message, path: child(undefined, index) })),
          listPath: undefined,
        },
        silentReporter,
      ),
    ),
    allMessages: [...branch, ...chained],
  }
}

/** Returns how many messages the input of a pair becomes: consecutive results become one message. */
function countQuestions(read: (body: JsonObject) => ChatRequest, messages: readonly JsonObject[]): number {
  return [...read({ messages }).messages].length
}
