import type { Loss, Translation } from '../../canonical/model/loss.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkIterable, throwWrongType } from '../../canonical/shape/shape.ts'
import { withTypedMethods } from '../../wire/typed-errors.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { reportOmittedFields } from './omitted-fields.ts'
import {
  type ConversationCodec,
  type ConversationFields,
  readOnlyRecord,
  reportOmittedSettings,
  toMessageCodec,
  type WritableConversationCodec,
} from './conversation-codec.ts'
import { parseInput } from './find-message-list.ts'
import { FormatLossReporter } from './format-loss-reporter.ts'
import { checkFormat, checkItem } from './format-signs.ts'
import {
  createReadingContext,
  defineMessageFormat,
  type MessageFormat,
  type ReadMessagesOptions,
  type WriteMessagesOptions,
} from './message-format.ts'
import { toPlainInput } from './to-plain-input.ts'

/** A conversation of a file: a request with its messages, tools and settings. `toSessionLines` stores all branches. */
export interface ImportedConversation<Name extends string = string>
  extends Translation<ChatRequest>, ConversationFields {
  readonly format: Name
  /** Every message of a conversation with several branches, parents before children. */
  readonly allMessages?: readonly Message[]
}

/**
 * Reads files of conversations: each record, such as a line of JSONL or an item of a list, is one conversation.
 *
 * @example
 * const [first] = shareGpt.fromConversations(await readFile('train.jsonl', 'utf8'))
 */
export interface ConversationReader<Name extends string = string> {
  readonly name: Name
  /** Reads the only conversation of an input: the messages of its current branch. What else it contains is reported. */
  fromMessages(input: unknown, options?: ReadMessagesOptions): Translation<readonly Message[]>
  /** Reads every conversation of an input: a record, a list of records, or the text of a JSON or JSONL file. */
  fromConversations(input: unknown, options?: ReadMessagesOptions): readonly ImportedConversation<Name>[]
}

/**
 * Reads and writes files of conversations. Writing what was read restores the record, unknown columns included.
 *
 * @example
 * const lines = requests.map((request) => JSON.stringify(openaiFineTuning.toConversation(request).value))
 */
export interface ConversationFormat<Name extends string = string, Wire = JsonObject>
  extends ConversationReader<Name>, MessageFormat<Name, Wire> {
  /** Writes a conversation with its tools as one record. Paths of losses start at the request. */
  toConversation(request: ChatRequest, options?: WriteMessagesOptions): Translation<Wire>
}

/** Returns the records of a plain input: the items of a list, or the input itself. */
export function listRecords(root: Json): readonly Json[] {
  return Array.isArray(root) ? (root as readonly Json[]) : [root]
}

function requireRecord(value: Json, path: Path | undefined, codec: ConversationCodec<string>): JsonObject {
  return isObject(value) ? value : throwWrongType(value, path, `a conversation of ${codec.name}: an object`)
}

/** Reads one record as a conversation. `path` is that of the record. */
export function readConversation<Name extends string>(
  codec: ConversationCodec<Name>,
  value: Json,
  path: Path,
  options: ReadMessagesOptions,
): ImportedConversation<Name> {
  const record = requireRecord(value, path, codec)
  checkItem(record, path, codec.signs)
  const reporter = new FormatLossReporter(codec.name)
  const { request, allMessages, fields } = codec.read(record, path, createReadingContext(reporter, options))
  const losses: readonly Loss[] = Object.freeze(reporter.losses)
  return Object.freeze({
    format: codec.name,
    value: request,
    losses,
    ...fields,
    ...(allMessages && { allMessages }),
  })
}

/** Writes a request as one record. */
export function writeConversation(
  codec: WritableConversationCodec<string>,
  request: ChatRequest,
  { onLoss }: WriteMessagesOptions,
): Translation<JsonObject> {
  const report = new FormatLossReporter(codec.name, onLoss, codec.sharedSlots)
  const list = child(undefined, 'messages')
  const messages = Array.from(
    checkIterable(request.messages, 'a list of messages'),
    (given: Message, index) => {
      const path = child(list, index)
      return { message: checkAndFreezeMessage(given, path), path }
    },
  )
  const conversation = { request, messages, listPath: list }
  const { carries } = codec
  if (carries !== undefined) {
    for (const { message, path } of messages) reportOmittedFields(message, path, carries, report)
    report.addResidue(request.extra, undefined)
  }
  reportOmittedSettings(conversation, codec.settings, report)
  const value = codec.write(conversation, report)
  return { value, losses: Object.freeze(report.losses) }
}

/** Builds the reader of a format that cannot be written. */
export function defineConversationReader<Name extends string>(
  codec: ConversationCodec<Name>,
): ConversationReader<Name> {
  const parse = (input: unknown): Json => parseInput(toPlainInput(input), (text) => codec.readText?.(text))
  return withTypedMethods({
    name: codec.name,
    fromMessages: (input, options = {}) => {
      const records = listRecords(parse(input)).map((value, index) =>
        requireRecord(value, child(undefined, index), codec),
      )
      checkFormat(records, undefined, codec.signs)
      const reporter = new FormatLossReporter(codec.name)
      const value = readOnlyRecord(codec, records, undefined, createReadingContext(reporter, options))
      return { value, losses: Object.freeze(reporter.losses) }
    },
    fromConversations: (input, options = {}) =>
      Object.freeze(
        listRecords(parse(input)).map((value, index) =>
          readConversation(codec, value, child(undefined, index), options),
        ),
      ),
  })
}

/** Builds a format of files of conversations from its codec. */
export function defineConversationFormat<Name extends string, Wire>(
  codec: WritableConversationCodec<Name>,
): ConversationFormat<Name, Wire> {
  const reader = defineConversationReader(codec)
  const writer = defineMessageFormat<Name, Wire>(toMessageCodec(codec))
  return withTypedMethods({
    ...reader,
    toMessages: (messages, options) => writer.toMessages(messages, options),
    toConversation: (request, options = {}) =>
      // The only cast: writers build JSON that may contain residue of any shape.
      writeConversation(codec, request, options) as Translation<unknown> as Translation<Wire>,
  })
}
