import type { Loss } from '../../canonical/model/loss.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Detection } from '../../dialects/engine/detect.ts'
import type { ImportedConversation } from '../../formats/engine/conversation-format.ts'
import { findMessageLists } from '../../formats/engine/find-message-list.ts'
import { type ConversationFormatName, findConversationCodec } from '../../formats/conversation-formats.ts'
import { detectConversations, fromConversations } from '../../formats/from-conversations.ts'
import {
  type DetectedConversationFormat,
  detectConversationFormat,
  detectLibraryFormat,
} from '../../formats/detect-conversation-format.ts'
import { fromMessages } from '../../formats/from-messages.ts'
import { InterlinguaError } from '../../errors.ts'
import { isObject, type Json } from '../../wire/json.ts'
import {
  FROM_OPTION_EVIDENCE,
  type InputFormatOptions,
  isLibraryFormat,
  type LibraryFormatName,
} from './input-format-names.ts'

/** Messages of another library, and their format. */
export interface LibraryMessages {
  readonly messages: readonly Message[]
  /** The conversation that contains the messages, for formats whose files contain conversations. */
  readonly conversation?: ImportedConversation
  readonly detected: Detection
  readonly losses: readonly Loss[]
}

/**
 * Reads the messages of another library: JSON, or the text of a file with one message per line. The input is no transcript.
 * Undefined if `--from` names another format, or if no format of a library is detected.
 */
export function readLibraryMessages(
  input: unknown,
  { from, kind }: InputFormatOptions,
): LibraryMessages | undefined {
  if (from === undefined ? kind !== undefined : !isLibraryFormat(from)) return undefined
  const name = from !== undefined && isLibraryFormat(from) ? from : toLibraryName(detectLibraryFormat(input))
  if (name === undefined) return undefined
  const evidence = from === undefined ? 'messages of a library' : FROM_OPTION_EVIDENCE
  const detected = { kind: 'stored', name, certainty: 1, evidence } as const
  if (findConversationCodec(name) === undefined) {
    const { value, losses } = fromMessages(input, { from: name })
    return { messages: value, detected, losses }
  }
  const conversations = fromConversations(input, { from: name as ConversationFormatName })
  const [conversation] = conversations
  if (conversation === undefined || conversations.length > 1)
    throw severalConversationsError(conversations.length)
  const { value, losses } = conversation
  return { messages: [...value.messages], conversation, detected, losses }
}

function severalConversationsError(count: number): InterlinguaError {
  const found = `${count} conversations`
  return new InterlinguaError('invalid-value', `The input contains ${found}: expected one`, {
    path: '',
    found,
    expected: 'one conversation',
    hint: 'Write one conversation per line, in a file with the ending .jsonl.',
  })
}

/** Returns the records of a list that contains conversations; undefined for any other value. */
export function listConversations(
  value: unknown,
  { from, kind }: InputFormatOptions,
): readonly unknown[] | undefined {
  if (!Array.isArray(value) || (from === undefined && kind !== undefined)) return undefined
  const name = from ?? detectLibrary(value)
  return findConversationCodec(name) === undefined ? undefined : (value as readonly unknown[])
}

/** Returns true for a line that is one message of a library, so that the file is one conversation. */
export function isLibraryLine(value: Json, { from }: InputFormatOptions): boolean {
  if (!isObject(value) || (from !== undefined && !isLibraryFormat(from))) return false
  // A line that is a conversation is a document of its own.
  if (findConversationCodec(from ?? detectConversations([value])) !== undefined) return false
  const isMessage = findMessageLists(value, () => undefined).some(({ items }) => items[0] === value)
  return isMessage && (from !== undefined || detectLibrary(value) !== undefined)
}

/** Returns true for text that is not JSON, but in a format of a library. */
export function isLibraryText(text: string, { from }: InputFormatOptions): boolean {
  return from === undefined ? detectLibrary(text) !== undefined : isLibraryFormat(from)
}

function detectLibrary(input: unknown): LibraryFormatName | undefined {
  return toLibraryName(detectConversationFormat(input))
}

function toLibraryName(detected: DetectedConversationFormat | undefined): LibraryFormatName | undefined {
  return detected !== undefined && isLibraryFormat(detected.format) ? detected.format : undefined
}
