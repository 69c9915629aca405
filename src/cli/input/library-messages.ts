import type { Loss } from '../../canonical/model/loss.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Detection } from '../../dialects/engine/detect.ts'
import { detectFormat } from '../../formats/engine/detect-format.ts'
import { findMessageLists } from '../../formats/engine/find-message-list.ts'
import { toPlainInput } from '../../formats/engine/plain-input.ts'
import { isOwnForm } from '../../formats/own-form.ts'
import { fromMessages } from '../../formats/from-messages.ts'
import { messageFormatList } from '../../formats/message-formats.ts'
import { InterlinguaError } from '../../errors.ts'
import { isObject, type Json } from '../../wire/json.ts'
import {
  GIVEN_BY_OPTION,
  type InputFormatOptions,
  isLibraryFormat,
  type LibraryFormatName,
} from './formats.ts'

/** Messages of another library, and their format. */
export interface LibraryMessages {
  readonly messages: readonly Message[]
  readonly detected: Detection
  readonly losses: readonly Loss[]
}

/**
 * Reads the messages of another library: JSON, or the text of a file with one message per line. Undefined if `--from` names
 * another format, or if no format of a library is detected.
 */
export function readLibraryMessages(
  input: unknown,
  { from, kind }: InputFormatOptions,
): LibraryMessages | undefined {
  if (from === undefined ? kind !== undefined : !isLibraryFormat(from)) return undefined
  const name = from !== undefined && isLibraryFormat(from) ? from : detectLibrary(input)
  if (name === undefined) return undefined
  const { value, losses } = fromMessages(input, { from: name })
  const evidence = from === undefined ? 'messages of a library' : GIVEN_BY_OPTION
  return {
    messages: value,
    detected: { kind: 'stored', name, certainty: 1, evidence },
    losses,
  }
}

/** Returns true for a line that is one message of a library, so that the file is one conversation. */
export function isLibraryLine(value: Json, { from }: InputFormatOptions): boolean {
  if (!isObject(value) || (from !== undefined && !isLibraryFormat(from))) return false
  const isMessage = findMessageLists(value, () => undefined).some(({ items }) => items[0] === value)
  return isMessage && (from !== undefined || detectLibrary(value) !== undefined)
}

/** Returns true for text that is not JSON, but in a format of a library. */
export function isLibraryText(text: string, { from }: InputFormatOptions): boolean {
  return from === undefined ? detectLibrary(text) !== undefined : isLibraryFormat(from)
}

function detectLibrary(input: unknown): LibraryFormatName | undefined {
  try {
    let textFormat: string | undefined
    const lists = findMessageLists(toPlainInput(input), (text) => {
      const codec = messageFormatList.find((each) => each.readText?.(text) !== undefined)
      textFormat = codec?.name
      return codec?.readText?.(text)
    })
    // The stored form may contain messages that look like those of a library.
    if (isOwnForm(lists[0]?.root ?? null)) return undefined
    const items = lists.flatMap((list) => list.items)
    const name = textFormat ?? detectFormat(items, messageFormatList)
    return name !== undefined && isLibraryFormat(name) ? name : undefined
  } catch (error) {
    // Input that cannot be read is reported by the readers of the other formats.
    if (error instanceof InterlinguaError) return undefined
    throw error
  }
}
