import type { Message, ToolMessage } from '../../canonical/model/message.ts'
import type { ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'

/** The fields of a tool message besides its results. */
export type ToolMessageFields = Omit<ToolMessage, 'role' | 'content'>

/** How a format reads the items of a list in which each tool result is a message of its own. */
export interface ItemReaders {
  isResult(wire: JsonObject): boolean
  /** Reads the fields of the canonical message from the first result of a group. */
  readFields(wire: JsonObject): ToolMessageFields
  /** Reads a result. `fields` are those of the canonical message for the first result of a group, else undefined. */
  readResult(wire: JsonObject, path: Path, fields: ToolMessageFields | undefined): ToolResultPart
  readMessage(wire: JsonObject, path: Path): Message
}

/** Reads a list of messages. Consecutive tool results become one message. */
export function readGroupedResults(
  items: readonly JsonObject[],
  path: Path | undefined,
  readers: ItemReaders,
): readonly Message[] {
  const messages: Message[] = []
  let results: ToolResultPart[] = []
  let fields: ToolMessageFields | undefined
  const flush = (): void => {
    if (fields !== undefined)
      messages.push(checkAndFreezeMessage({ ...fields, role: 'tool', content: results }, path))
    results = []
    fields = undefined
  }
  items.forEach((wire, index) => {
    const at = child(path, index)
    if (!readers.isResult(wire)) {
      flush()
      messages.push(readers.readMessage(wire, at))
      return
    }
    const isFirst = fields === undefined
    fields ??= readers.readFields(wire)
    results.push(readers.readResult(wire, at, isFirst ? fields : undefined))
  })
  flush()
  return messages
}
