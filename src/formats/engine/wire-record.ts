import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Dialect } from '../../dialects/engine/dialect.ts'
import { itemsOf, type JsonObject } from '../../wire/json.ts'
import { child, type Path, toPointer } from '../../wire/json-pointer.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import type { PlacedConversation, RecordSetting } from './conversation-codec.ts'
import type { FormatReporter } from './format-loss-reporter.ts'
import { checkFormat, type FormatSigns } from './format-signs.ts'
import type { ReadingContext } from './message-format.ts'
import { requireObject } from './require-fields.ts'

/** A format whose records are requests of a wire format without a model. */
export interface WireRecordFormat {
  readonly name: string
  readonly dialect: Dialect
  /** The key of the messages. */
  readonly list: string
  /** The signs of one message, so that a list of anything else is an error. */
  readonly messageSigns: FormatSigns
  readonly settings: readonly RecordSetting[]
}

/** Returns the messages of a record; a value that is not a list of messages is an error. */
export function requireMessages(
  record: JsonObject,
  key: string,
  path: Path | undefined,
  signs: FormatSigns,
): readonly JsonObject[] {
  const at = child(path, key)
  const list = Object.hasOwn(record, key) ? record[key] : undefined
  if (!Array.isArray(list)) return throwWrongType(list, at, 'a list of messages')
  const messages = itemsOf(list).map((item, index) => requireObject(item, child(at, index), 'a message'))
  checkFormat(messages, at, signs)
  return messages
}

/** Reads a record as a request, with the decoder of its wire format. */
export function readWireRecord(
  { dialect, list, messageSigns }: WireRecordFormat,
  record: JsonObject,
  path: Path | undefined,
  context: ReadingContext,
): ChatRequest {
  requireMessages(record, list, path, messageSigns)
  return dialect.decodeRequest(record, { newId: (prefix) => context.newId(prefix) }).value
}

/** Writes a request as a record, with the encoder of its wire format. Losses are reported under the path of the messages. */
export function writeWireRecord(
  { name, dialect, settings }: WireRecordFormat,
  { request, messages, listPath }: PlacedConversation,
  report: FormatReporter,
): JsonObject {
  const given: ChatRequest = {
    messages: messages.map(({ message }) => message),
    ...Object.fromEntries(Object.entries(request).filter(([key]) => settings.includes(key as RecordSetting))),
    ...(request.extra && { extra: omitSlot(request.extra, name) }),
  }
  const { value, losses } = dialect.encodeRequest(given)
  const prefix = toPointer(listPath)
  for (const loss of losses) {
    const isInMessage = loss.path === MESSAGES || loss.path.startsWith(`${MESSAGES}/`)
    if (isInMessage) report.forward({ ...loss, path: prefix + loss.path.slice(MESSAGES.length) })
    // Losses of settings belong to the request, which is not written if there are only messages.
    else if (listPath !== undefined) report.forward(loss)
  }
  return value as JsonObject
}

const MESSAGES = '/messages'

/** Returns the residue of the other slots: that of the record is applied by its writer. */
function omitSlot(extra: NonNullable<ChatRequest['extra']>, slot: string): NonNullable<ChatRequest['extra']> {
  return Object.fromEntries(Object.entries(extra).filter(([key]) => key !== slot))
}
