import type { Loss, Translation } from '../canonical/model/loss.ts'
import type { Message } from '../canonical/model/message.ts'
import { dialects } from '../dialects/dialects.ts'
import { checkOptions, type OptionNames } from '../wire/check-options.ts'
import { isObject, type Json } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'
import { type ConversationFormatName, findConversationCodec } from './conversation-formats.ts'
import { defineConversationReader, listRecords } from './engine/conversation-format.ts'
import { detectFormat, throwUnknownMessageFormat } from './engine/detect-format.ts'
import { findMessageLists, parseInput } from './engine/find-message-list.ts'
import { FormatLossReporter } from './engine/format-loss-reporter.ts'
import { type ReadMessagesOptions, readWith } from './engine/message-format.ts'
import { toPlainInput } from './engine/to-plain-input.ts'
import { detectConversations, findTextCodec } from './from-conversations.ts'
import { detectTranscript, fromTranscript, listTranscriptMessages } from './from-transcript.ts'
import { messageFormatCodecs, messageFormatList, type WritableFormatName } from './message-formats.ts'
import { isStoredForm, readStoredForm } from './read-stored-form.ts'
import { type TranscriptFormatName, transcriptReaders } from './transcript-formats.ts'
import { readBodyMessages } from './wire-messages/read-body-messages.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'

/**
 * The name of a format that messages can be read from: `interlingua` is the form of this library, and a transcript is a session
 * file of an agent program.
 */
export type MessageFormatName =
  | WritableFormatName
  | ConversationFormatName
  | TranscriptFormatName
  | 'interlingua'

/** Options of {@link fromMessages}. */
export interface FromMessagesOptions extends ReadMessagesOptions {
  /** The format of the messages. Default: it is detected. */
  readonly from?: MessageFormatName
}

/** Messages that were read, their losses, and the format that they were read from. */
export interface ImportedMessages extends Translation<readonly Message[]> {
  readonly format: MessageFormatName
}

const FROM_OPTION_NAMES: OptionNames<FromMessagesOptions> = { from: true, newId: Function, now: Function }

/**
 * Reads messages of another library, a wire format or this library: a list, one message, an object that contains the list,
 * such as a request or a session, or the JSON text of any of them. Of a transcript, the current branch is read; see
 * {@link fromTranscript} for the others. What the canonical model has no field for is kept in
 * `extra`, so that {@link toMessages} restores it.
 *
 * @example
 * const { value: messages, format } = fromMessages(await loadChat(id))
 * const { value: history } = fromMessages(rows, { from: 'langchain' })
 */
export function fromMessages(input: unknown, options: FromMessagesOptions = {}): ImportedMessages {
  return withTypedErrors(() => {
    checkOptions('fromMessages()', options, FROM_OPTION_NAMES)
    const { from, ...identity } = options
    const transcript = isTranscriptName(from)
      ? from
      : from === undefined
        ? detectTranscript(input)
        : undefined
    if (isTranscriptName(transcript)) {
      const read = fromTranscript(input, { ...identity, from: transcript })
      return { ...listTranscriptMessages(read), format: transcript }
    }
    let textFormat: MessageFormatName | undefined
    const root = parseInput(toPlainInput(input), (text) => {
      const read = readFormatText(text, from)
      textFormat = read?.format
      return read?.value
    })
    if (from === undefined ? isStoredForm(root) : from === 'interlingua')
      return { value: readStoredForm(root, identity), losses: NO_LOSSES, format: 'interlingua' }
    const records = listRecords(root)
    const conversations = findConversationCodec(from ?? textFormat ?? detectConversations(records))
    if (conversations !== undefined)
      return {
        ...defineConversationReader(conversations).fromMessages(records, identity),
        format: conversations.name,
      }
    const lists = findMessageLists(root, () => undefined)
    const items = lists.flatMap((list) => list.items)
    const name = from ?? textFormat ?? detectFormat(items, messageFormatList)
    if (name === undefined || Object.hasOwn(dialects, name)) {
      const body = readBodyMessages(root, name)
      if (body !== undefined) return body
    }
    if (name === undefined)
      return { value: readStoredForm(root, identity), losses: NO_LOSSES, format: 'interlingua' }
    const codec = Object.hasOwn(messageFormatCodecs, name)
      ? messageFormatCodecs[name as WritableFormatName]
      : throwUnknownName('from', name)
    const { value, losses } = readWith(codec, lists, identity)
    return { value, losses: [...losses, ...reportSystemFields(root, name)], format: name }
  }, [input, options])
}

/** Messages of pi are also a format of their own, whose reader accepts its session files. */
function isTranscriptName(name: string | undefined): name is TranscriptFormatName {
  return name !== undefined && name !== 'pi' && Object.hasOwn(transcriptReaders, name)
}

/** Reads text that is not JSON, in the form of the given format or of the first one that recognizes it. */
export function readFormatText(
  text: string,
  from: string | undefined,
): { readonly value: Json; readonly format: MessageFormatName } | undefined {
  const conversations = findTextCodec(text, from)
  const record = conversations?.readText?.(text)
  if (conversations !== undefined && record !== undefined)
    return { value: record, format: conversations.name }
  for (const codec of messageFormatList) {
    const value = from === undefined || from === codec.name ? codec.readText?.(text) : undefined
    if (value !== undefined) return { value, format: codec.name }
  }
  return undefined
}

const NO_LOSSES: readonly Loss[] = Object.freeze([])

/** The fields in which an object that contains messages may have system text beside them. */
const SYSTEM_FIELDS = ['system', 'instructions', 'systemPrompt', 'system_prompt'] as const

/** The fields in which an object that contains messages may describe them. */
const SESSION_FIELDS = ['metadata', 'parameters'] as const

/** Reports system text beside the messages, for which only the bodies of the wire formats have a reader. */
function reportSystemFields(container: Json, format: string): readonly Loss[] {
  const reporter = new FormatLossReporter(format)
  if (isObject(container))
    for (const field of SYSTEM_FIELDS)
      if (Object.hasOwn(container, field)) reporter.add('request-field', child(undefined, field))
  if (isObject(container) && Object.hasOwn(container, 'messages'))
    for (const field of SESSION_FIELDS)
      if (Object.hasOwn(container, field)) reporter.add('session-field', child(undefined, field))
  return reporter.losses
}

/** Throws the error for a format that does not exist; callers without a compiler may pass any text. */
export function throwUnknownName(option: 'from' | 'to', name: unknown): never {
  const names = new Set([...Object.keys(messageFormatCodecs), ...Object.keys(transcriptReaders)])
  return throwUnknownMessageFormat(option, name, [...names])
}
