import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { WritableFields } from './omitted-fields.ts'
import type { FormatReporter } from './format-loss-reporter.ts'
import type { FormatSigns } from './format-signs.ts'
import type { MessageFormatCodec, PlacedMessage, ReadingContext } from './message-format.ts'

/** What a file states about a conversation besides its messages. */
export interface ConversationFields {
  readonly id?: string
  readonly title?: string
  readonly createdAt?: string
  readonly updatedAt?: string
}

/** A conversation as it was read from a record. */
export interface ConversationContent {
  /** The current branch, with the tools and settings that the record contains. */
  readonly request: ChatRequest
  /** Every message of a conversation with several branches, parents before children. */
  readonly allMessages?: readonly Message[]
  readonly fields?: ConversationFields
}

/** A conversation that is written as a record: its messages with their paths, and the request that contains them. */
export interface PlacedConversation {
  readonly request: ChatRequest
  readonly messages: readonly PlacedMessage[]
  /** The path of the messages; undefined if only messages are written, so that paths start at their list. */
  readonly listPath: Path | undefined
}

/** The settings of a request that a record can contain. */
export type RecordSetting = Exclude<keyof ChatRequest, 'messages' | 'extra'>

/** The parts of a format whose files contain conversations: each record is one. */
export interface ConversationCodec<Name extends string> {
  /** The name of the format, which is also its slot of residue. */
  readonly name: Name
  /** The signs of one record. */
  readonly signs: FormatSigns
  readonly sharedSlots?: readonly string[]
  readonly carries?: WritableFields
  /** The settings that a record can contain; any other one is reported when it is omitted. */
  readonly settings: readonly RecordSetting[]
  /** The key of the text, for formats whose files contain text instead of JSON. */
  readonly textKey?: string
  /** Reads text that is not JSON as a record; undefined for text of another form. */
  readText?(text: string): Json | undefined
  /** Reads a record that matches the signs. */
  read(record: JsonObject, path: Path | undefined, context: ReadingContext): ConversationContent
}

/** A format whose records can be written, too. */
export interface WritableConversationCodec<Name extends string> extends ConversationCodec<Name> {
  write(conversation: PlacedConversation, report: FormatReporter): JsonObject
}

/** Settings that say nothing about a conversation: they are not reported when a record omits them. */
export const FORM_SETTINGS: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'maxOutputTokens',
  'extra',
  'messages',
])

/** Reports the settings of a request that a record has no field for. */
export function reportOmittedSettings(
  { request }: PlacedConversation,
  carried: readonly RecordSetting[],
  report: FormatReporter,
): void {
  for (const key of Object.keys(request)) {
    if (FORM_SETTINGS.has(key) || carried.includes(key as RecordSetting)) continue
    report.add(key === 'tools' ? 'tools-omitted' : 'setting-omitted', child(undefined, key))
  }
}

/** Reads the only record of a list as messages, and reports what it contains besides them. */
export function readOnlyRecord(
  codec: ConversationCodec<string>,
  records: readonly JsonObject[],
  path: Path | undefined,
  context: ReadingContext,
): readonly Message[] {
  const [record] = records
  if (record === undefined || records.length > 1)
    return throwInvalid(
      'invalid-value',
      path,
      `${records.length} conversations of ${codec.name}`,
      'one conversation',
      'Call fromConversations() to read every conversation of a file.',
    )
  const at = child(path, 0)
  const { request, allMessages = [], fields = {} } = codec.read(record, at, context)
  for (const key of Object.keys(request))
    if (!FORM_SETTINGS.has(key)) context.report('request-field', child(at, key))
  for (const key of Object.keys(fields)) context.report('session-field', child(at, key))
  for (const slot of [codec.name, ...(codec.sharedSlots ?? [])])
    for (const key of Object.keys(request.extra?.[slot] ?? {}))
      context.report('session-field', key === '$' ? at : child(at, key))
  const branch = new Set([...request.messages].map(({ id }) => id))
  for (const { id } of allMessages) if (!branch.has(id)) context.report('branch-omitted', child(at, id))
  return Object.freeze([...request.messages])
}

/** Builds the codec by which the messages of a record are read and written without its other fields. */
export function toMessageCodec<Name extends string>(
  codec: WritableConversationCodec<Name>,
): MessageFormatCodec<Name> {
  return {
    name: codec.name,
    signs: codec.signs,
    ...(codec.sharedSlots && { sharedSlots: codec.sharedSlots }),
    ...(codec.carries && { carries: codec.carries }),
    readText: (text) => codec.readText?.(text),
    read: (records, path, context) => readOnlyRecord(codec, records, path, context),
    write: (messages, report) => [
      codec.write(
        { request: { messages: messages.map(({ message }) => message) }, messages, listPath: undefined },
        report,
      ),
    ],
  }
}
