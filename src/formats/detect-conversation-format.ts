import { InterlinguaError } from '../errors.ts'
import { detect } from '../dialects/engine/detect.ts'
import { dialects } from '../dialects/dialects.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { isObject, type Json } from '../wire/json.ts'
import { findConversationCodec } from './conversation-formats.ts'
import { listRecords } from './engine/conversation-format.ts'
import { detectFormat } from './engine/detect-format.ts'
import { findMessageLists, parseInput } from './engine/find-message-list.ts'
import { toPlainInput } from './engine/to-plain-input.ts'
import { detectConversations, detectPlainRows } from './from-conversations.ts'
import { type MessageFormatName, readFormatText } from './from-messages.ts'
import { detectTranscript } from './from-transcript.ts'
import { messageFormatList } from './message-formats.ts'
import { isStoredForm } from './read-stored-form.ts'

/** The format of an input, and which function reads all of it. */
export interface DetectedConversationFormat {
  readonly format: MessageFormatName
  /**
   * What the input contains: `messages` of one conversation (`fromMessages`), a file of `conversations` (`fromConversations`), or the
   * `transcript` of an agent program (`fromTranscript`).
   */
  readonly contains: 'messages' | 'conversations' | 'transcript'
}

/**
 * Detects the format of stored messages, training files, exports and transcripts: JSON or text. Undefined if no format has been
 * recognized. Bodies and streams of providers are detected by `detect` of the main entry.
 *
 * @example
 * detectConversationFormat('<|im_start|>user\nHi<|im_end|>') // { format: 'chatml', contains: 'conversations' }
 */
export function detectConversationFormat(input: unknown): DetectedConversationFormat | undefined {
  return withTypedErrors(() => {
    try {
      return detectInput(input)
    } catch (error) {
      // Text that is not JSON, and JSON that contains no messages.
      if (error instanceof InterlinguaError) return undefined
      throw error
    }
  }, [input])
}

function detectInput(input: unknown): DetectedConversationFormat | undefined {
  const transcript = detectTranscript(input)
  if (transcript !== undefined) return { format: transcript, contains: 'transcript' }
  let textFormat: MessageFormatName | undefined
  const root = parseInput(toPlainInput(input), (text) => {
    const read = readFormatText(text, undefined)
    textFormat = read?.format
    return read?.value
  })
  if (isStoredForm(root)) return { format: 'interlingua', contains: 'messages' }
  const records = findConversationCodec(textFormat ?? detectConversations(listRecords(root)))
  if (records !== undefined) return { format: records.name, contains: 'conversations' }
  const items = findMessageLists(root, () => undefined).flatMap((list) => list.items)
  const format = textFormat ?? detectFormat(items, messageFormatList) ?? detectBody(root)
  if (format !== undefined) return { format, contains: 'messages' }
  const rows = Array.isArray(root) ? detectPlainRows(listRecords(root)) : undefined
  if (rows !== undefined) return { format: rows, contains: 'conversations' }
  // Roles and texts alone are read as messages of this library.
  const hasRoles = items.length > 0 && items.every((item) => isObject(item) && Object.hasOwn(item, 'role'))
  return hasRoles ? { format: 'interlingua', contains: 'messages' } : undefined
}

function detectBody(root: Json): MessageFormatName | undefined {
  const name = isObject(root)
    ? detect(root).find((each) => Object.hasOwn(dialects, each.name))?.name
    : undefined
  return name as MessageFormatName | undefined
}
