import { withTypedMethods } from '../../wire/typed-errors.ts'
import { generateId, type IdentityOptions } from '../../canonical/build/ids-and-timestamps.ts'
import type { FormatLossRule } from '../../canonical/losses/loss-catalog.ts'
import type { Translation } from '../../canonical/model/loss.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type WritableFields, reportOmittedFields } from './omitted-fields.ts'
import { findMessageLists, type MessageListLocation } from './find-message-list.ts'
import { type FormatLossHandler, FormatLossReporter, type FormatReporter } from './format-loss-reporter.ts'
import { checkFormat, type FormatSigns } from './format-signs.ts'
import { toPlainInput } from './to-plain-input.ts'

/** Options of reading messages. Pass `newId` to make the ids of messages without one repeatable. */
export type ReadMessagesOptions = Pick<IdentityOptions, 'newId' | 'now'>

/** Options of writing messages. */
export interface WriteMessagesOptions {
  /** Allows losses, or throws an error at the first one. Notes are always allowed. Default: `allow`. */
  readonly onLoss?: FormatLossHandler
}

/** Options of a reader of messages. */
export interface ReadingContext {
  /** Returns the id of a message: the given one, or a new one for a message without an id. */
  messageId(given?: Json): string
  /** Returns a new id with a prefix such as `call`. */
  newId(prefix: string): string
  /** Reports what a list contains besides messages. */
  report(rule: FormatLossRule, path: Path | undefined): void
}

/** A message and its path in the list that is written. */
export interface PlacedMessage {
  readonly message: Message
  readonly path: Path
}

/** Reads messages that match the signs of a format. `path` is the path of the list. */
export type MessagesReader = (
  items: readonly JsonObject[],
  path: Path | undefined,
  context: ReadingContext,
) => readonly Message[]

/** Writes messages as those of a format. */
export type MessagesWriter = (
  messages: readonly PlacedMessage[],
  report: FormatReporter,
) => readonly JsonObject[]

/** Writes a part; undefined for a part without a form in the format. */
export type PartWriter = (
  part: Part,
  path: Path | undefined,
  report: FormatReporter,
) => JsonObject | undefined

/** The parts of a message format that differ from format to format. */
export interface MessageFormatCodec<Name extends string> {
  /** The name of the format, which is also its slot of residue. */
  readonly name: Name
  readonly signs: FormatSigns
  /** The slots of another format whose codec this one uses; their residue is not foreign. */
  readonly sharedSlots?: readonly string[]
  /** The optional canonical fields that the writer can represent; undefined for a writer that reports losses itself. */
  readonly carries?: WritableFields
  /** Reads text that is not JSON; undefined for text of another form. */
  readText?(text: string): Json | undefined
  readonly read: MessagesReader
  readonly write: MessagesWriter
}

/**
 * A message format of another library: reads its stored messages and writes them, without that library. Writing what was
 * read restores it, including fields that the canonical model does not have.
 *
 * @example
 * const { value: messages } = langchain.fromMessages(await history.getMessages())
 */
export interface MessageFormat<Name extends string = string, Wire = JsonObject> {
  readonly name: Name
  /** Reads a list of messages, one message, an object that contains the list, or the JSON text of any of them. */
  fromMessages(input: unknown, options?: ReadMessagesOptions): Translation<readonly Message[]>
  /** Writes messages as plain JSON. Paths of losses start at the list. */
  toMessages(messages: Iterable<Message>, options?: WriteMessagesOptions): Translation<Wire[]>
}

/** Builds a message format from its codec. */
export function defineMessageFormat<Name extends string, Wire>(
  codec: MessageFormatCodec<Name>,
): MessageFormat<Name, Wire> {
  return withTypedMethods({
    name: codec.name,
    fromMessages: (input, options = {}) => {
      return readWith(
        codec,
        findMessageLists(toPlainInput(input), (text) => codec.readText?.(text)),
        options,
      )
    },
    toMessages: (messages, { onLoss } = {}) => {
      const report = new FormatLossReporter(codec.name, onLoss, codec.sharedSlots)
      // The only cast: writers build JSON that may contain residue of any shape.
      const value = writeWith(codec, messages, report) as readonly unknown[] as Wire[]
      return { value, losses: Object.freeze(report.losses) }
    },
  })
}

/** Creates the context of reading one conversation. An id that another message has is replaced. */
export function createReadingContext(
  reporter: FormatLossReporter,
  options: ReadMessagesOptions,
): ReadingContext {
  const usedIds = new Set<string>()
  return {
    messageId: (given) => {
      const id =
        typeof given === 'string' && given !== '' && !usedIds.has(given) ? given : generateId('msg', options)
      usedIds.add(id)
      return id
    },
    newId: (prefix) => generateId(prefix, options),
    report: (rule, at) => reporter.add(rule, at),
  }
}

/** Reads lists of plain JSON values with a codec; a value that is not a message of the format is an error. */
export function readWith(
  codec: MessageFormatCodec<string>,
  lists: readonly MessageListLocation[],
  options: ReadMessagesOptions,
): Translation<readonly Message[]> {
  const reporter = new FormatLossReporter(codec.name)
  const context = createReadingContext(reporter, options)
  const read = lists.map(({ items, path }) => {
    const objects = items.map((item, index) =>
      isObject(item) ? item : throwWrongType(item, child(path, index), 'a message: an object'),
    )
    checkFormat(objects, path, codec.signs)
    // The names of sections have no field in messages.
    if (lists.length > 1 && path?.parent !== undefined)
      reporter.add('session-field', child(path.parent, 'name'))
    return codec.read(objects, path, context)
  })
  const value = Object.freeze(read.length === 1 && read[0] !== undefined ? read[0] : read.flat())
  return { value, losses: Object.freeze(reporter.losses) }
}

function writeWith(
  codec: MessageFormatCodec<string>,
  messages: Iterable<Message>,
  report: FormatLossReporter,
): readonly JsonObject[] {
  const placed = Array.from(messages, (given, index): PlacedMessage => {
    const path = child(undefined, index)
    return { message: checkAndFreezeMessage(given, path), path }
  })
  const { carries } = codec
  if (carries !== undefined)
    for (const { message, path } of placed) reportOmittedFields(message, path, carries, report)
  return codec.write(placed, report)
}
