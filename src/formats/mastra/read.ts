import type { Message } from '../../canonical/model/message.ts'
import { isTimestamp } from '../../canonical/shape/shape.ts'
import { attachResidue } from '../../dialects/engine/residue-slots.ts'
import {
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
  readStringOrEmpty,
} from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { readUiMessage } from '../ai-sdk-ui-messages/read.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { keepMessage } from '../engine/keep-unknown-values.ts'
import { MASTRA_SLOT, NAME } from './constants.ts'
import { toUiPart } from './convert-parts.ts'
import type { MastraHintName } from './types.ts'
import { repeatedFieldNames, writeMessages } from './write.ts'

/** Reads messages of Mastra: their parts are those of UI messages, stored in another form. */
export const readMessages: MessagesReader = (items, path, context) => {
  const messages: Message[] = []
  items.forEach((wire, index) => {
    const at = child(path, index)
    const isKept = wire['role'] === 'signal'
    const read = isKept
      ? [keepMessage(NAME, wire, at, context)]
      : readMessage(wire, messages.at(-1)?.role, at, context)
    for (const message of read) messages.push(message)
  })
  return messages
}

function readMessage(
  wire: JsonObject,
  previous: Message['role'] | undefined,
  path: Path,
  context: ReadingContext,
): readonly Message[] {
  const { id, role, createdAt } = wire
  const content = wire['content'] as JsonObject
  const at = child(path, 'content')
  const given = itemsOf(content['parts'])
  const { metadata } = content
  const parts = given.map((part, index) => toUiPart(part, child(child(at, 'parts'), index)))
  const ui = omitUndefined({ id, role, metadata, parts }) as JsonObject
  const [first, ...rest] = readUiMessage(ui, previous, at, context)
  if (first === undefined) return []
  const dated = isTimestamp(createdAt) ? Object.freeze({ ...first, createdAt }) : first
  const attached = attachResidue<Message, MastraHintName, ReturnType<typeof readHints>>(
    dated,
    MASTRA_SLOT,
    readHints(content, given),
    wire,
    (unit) =>
      writeMessages(
        [unit, ...rest].map((message) => ({ message, path })),
        silentReporter,
      )[0],
  )
  return [attached, ...rest]
}

function readHints(
  content: JsonObject,
  parts: readonly Json[],
): { readonly repeats?: readonly string[]; readonly rawData?: boolean } {
  const repeats = repeatedFieldNames.filter((field) => Object.hasOwn(content, field))
  return {
    ...(repeats.length > 0 && { repeats }),
    ...(parts.some(isRawFile) && { rawData: true }),
  }
}

/** Returns true for a file whose data is base64 without a media type. */
function isRawFile(part: Json): boolean {
  return (
    isObject(part) && part['type'] === 'file' && !/^[a-z][a-z0-9+.-]*:/i.test(readStringOrEmpty(part['data']))
  )
}
