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
  return withTypedErrors(() => ignoreUnreadable(() => detectInput(input)), [input])
}

/**
 * Detects the messages and files of other libraries. Unlike {@link detectConversationFormat}, the result does not include
 * transcripts and bodies of providers, so that a caller who has already excluded them, or will detect them later, does not
 * examine the input twice.
 */
export function detectLibraryFormat(input: unknown): DetectedConversationFormat | undefined {
  return ignoreUnreadable(() => detectInLibraries(parseInputText(input)))
}

/** Text that is not JSON, and JSON that contains no messages, has no format. */
function ignoreUnreadable<T>(detectIn: () => T | undefined): T | undefined {
  try {
    return detectIn()
  } catch (error) {
    if (error instanceof InterlinguaError) return undefined
    throw error
  }
}

interface ParsedInput {
  readonly root: Json
  /** The format of an input that is text, but no JSON. */
  readonly textFormat: MessageFormatName | undefined
}

function parseInputText(input: unknown): ParsedInput {
  let textFormat: MessageFormatName | undefined
  const root = parseInput(toPlainInput(input), (text) => {
    const read = readFormatText(text, undefined)
    textFormat = read?.format
    return read?.value
  })
  return { root, textFormat }
}

function detectInput(input: unknown): DetectedConversationFormat | undefined {
  const transcript = detectTranscript(input)
  if (transcript !== undefined) return { format: transcript, contains: 'transcript' }
  const parsed = parseInputText(input)
  const { root } = parsed
  if (isStoredForm(root)) return { format: 'interlingua', contains: 'messages' }
  const library = detectInLibraries(parsed)
  if (library !== undefined) return library
  const body = detectBody(root)
  if (body !== undefined) return { format: body, contains: 'messages' }
  // Roles and texts alone are read as messages of this library.
  const items = listItems(root)
  const hasRoles = items.length > 0 && items.every((item) => isObject(item) && Object.hasOwn(item, 'role'))
  return hasRoles ? { format: 'interlingua', contains: 'messages' } : undefined
}

function detectInLibraries({ root, textFormat }: ParsedInput): DetectedConversationFormat | undefined {
  if (isStoredForm(root)) return undefined
  const records = findConversationCodec(textFormat ?? detectConversations(listRecords(root)))
  if (records !== undefined) return { format: records.name, contains: 'conversations' }
  const format = textFormat ?? detectFormat(listItems(root), messageFormatList)
  if (format !== undefined) return { format, contains: 'messages' }
  const rows = Array.isArray(root) ? detectPlainRows(listRecords(root)) : undefined
  return rows === undefined ? undefined : { format: rows, contains: 'conversations' }
}

function listItems(root: Json): readonly Json[] {
  return findMessageLists(root, () => undefined).flatMap((list) => list.items)
}

function detectBody(root: Json): MessageFormatName | undefined {
  const name = isObject(root)
    ? detect(root).find((each) => Object.hasOwn(dialects, each.name))?.name
    : undefined
  return name as MessageFormatName | undefined
}
