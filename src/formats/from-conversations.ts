import { ON_LOSS_CHOICES } from '../canonical/losses/create-loss.ts'
import { checkOptions } from '../wire/check-options.ts'
import type { Translation } from '../canonical/model/loss.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { throwInvalid } from '../canonical/shape/shape.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { isObject, type Json } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'
import {
  conversationCodecList,
  type ConversationFormatName,
  findConversationCodec,
  isWritableConversationFormat,
  writableConversationCodecs,
  type WritableConversationFormatName,
} from './conversation-formats.ts'
import type { ConversationCodec } from './engine/conversation-codec.ts'
import {
  type ImportedConversation,
  listRecords,
  readConversation,
  writeConversation,
} from './engine/conversation-format.ts'
import type { ChatMlRecord } from './chatml/types.ts'
import { detectFormat, throwUnknownMessageFormat } from './engine/detect-format.ts'
import { parseInput } from './engine/find-message-list.ts'
import { describeKeys } from './engine/format-signs.ts'
import type { ReadMessagesOptions, WriteMessagesOptions } from './engine/message-format.ts'
import { toPlainInput } from './engine/to-plain-input.ts'
import type { GeminiTuningRecord } from './gemini-tuning/types.ts'
import type { HarmonyRecord } from './harmony/types.ts'
import { isPlainRow } from './huggingface/row-layout.ts'
import type { HuggingFaceRow } from './huggingface/types.ts'
import type { MarkdownRecord } from './markdown/types.ts'
import type { FineTuningRecord } from './openai-fine-tuning/types.ts'
import type { ShareGptRecord } from './sharegpt/types.ts'

/** Options of {@link fromConversations}. */
export interface FromConversationsOptions extends ReadMessagesOptions {
  /** The format of the file. Default: it is detected. */
  readonly from?: ConversationFormatName
}

/** Options of {@link toConversation}. */
export interface ToConversationOptions<
  Name extends WritableConversationFormatName = WritableConversationFormatName,
> extends WriteMessagesOptions {
  /** The format to write. */
  readonly to: Name
}

/** The type of a written record by format. */
export interface WrittenConversations {
  readonly 'openai-fine-tuning': FineTuningRecord
  readonly 'gemini-tuning': GeminiTuningRecord
  readonly sharegpt: ShareGptRecord
  readonly huggingface: HuggingFaceRow
  readonly chatml: ChatMlRecord
  readonly harmony: HarmonyRecord
  readonly markdown: MarkdownRecord
}

/**
 * Reads every conversation of a file: training data, or the export of a chat service. The input is one record, a list of them,
 * or the text of a JSON or JSONL file.
 *
 * @example
 * for (const { value: request, title } of fromConversations(await readFile('conversations.json', 'utf8')))
 *   console.log(title, [...request.messages].length)
 */
export function fromConversations(
  input: unknown,
  options: FromConversationsOptions = {},
): readonly ImportedConversation<ConversationFormatName>[] {
  return withTypedErrors(() => {
    checkOptions('fromConversations()', options, { from: true, newId: Function, now: Function })
    const { from, ...identity } = options
    let textCodec: ConversationCodec<ConversationFormatName> | undefined
    const root = parseInput(toPlainInput(input), (text) => {
      textCodec = findTextCodec(text, from)
      return textCodec?.readText?.(text)
    })
    const records = listRecords(root)
    const codec =
      textCodec ?? findConversationCodec(from ?? detectConversations(records) ?? detectPlainRows(records))
    if (codec === undefined) {
      if (from !== undefined) return throwUnknownName('from', from)
      return records.length === 0 ? Object.freeze([]) : throwUnrecognized(records)
    }
    return Object.freeze(
      records.map((record, index) => readConversation(codec, record, child(undefined, index), identity)),
    )
  }, [input, options])
}

/** Returns the format of a list of records; undefined if no format fits. */
export function detectConversations(records: readonly Json[]): ConversationFormatName | undefined {
  return detectFormat(records, conversationCodecList)
}

/** Detects rows with nothing but messages of Chat Completions, which are read as requests unless a file of conversations is expected. */
export function detectPlainRows(records: readonly Json[]): ConversationFormatName | undefined {
  const isDataset = records.length > 0 && records.every((record) => isObject(record) && isPlainRow(record))
  return isDataset ? 'huggingface' : undefined
}

/** Returns the format that reads text that is not JSON: the given one, or the first one that recognizes it. */
export function findTextCodec(
  text: string,
  from: string | undefined,
): ConversationCodec<ConversationFormatName> | undefined {
  return conversationCodecList.find(
    (codec) => (from === undefined || from === codec.name) && codec.readText?.(text) !== undefined,
  )
}

/**
 * Writes a conversation with its tools as one record of a file. What the format has no field for is reported; a conversation
 * that was read from the same format is restored as it was.
 *
 * @example
 * const { value: record, losses } = toConversation(request, { to: 'sharegpt' })
 * await appendFile('train.jsonl', `${JSON.stringify(record)}\n`)
 */
export function toConversation<Name extends WritableConversationFormatName>(
  request: ChatRequest,
  options: ToConversationOptions<Name>,
): Translation<WrittenConversations[Name]> {
  return withTypedErrors(() => {
    checkOptions<ToConversationOptions<WritableConversationFormatName>>('toConversation()', options, {
      to: true,
      onLoss: ON_LOSS_CHOICES,
    })
    const { to, ...writeOptions } = options
    const codec = isWritableConversationFormat(to)
      ? writableConversationCodecs[to]
      : throwUnknownName('to', to)
    // The only cast: writers build JSON that may contain residue of any shape.
    return writeConversation(codec, request, writeOptions) as Translation<unknown> as Translation<
      WrittenConversations[Name]
    >
  }, [request, options])
}

function throwUnknownName(option: 'from' | 'to', name: unknown): never {
  return throwUnknownMessageFormat(
    option,
    name,
    conversationCodecList.map((codec) => codec.name),
  )
}

function throwUnrecognized(records: readonly Json[]): never {
  const [first] = records
  const found =
    typeof first === 'object' && first !== null && !Array.isArray(first)
      ? `an object with the keys ${describeKeys(first)}`
      : 'a value that is no object'
  const names = conversationCodecList.map((codec) => codec.name).join(', ')
  return throwInvalid(
    'unknown-message-format',
    child(undefined, 0),
    found,
    'a conversation of a known format',
    `Pass { from } if you know the format: ${names}. Use fromMessages() for messages of one conversation, and fromTranscript() for sessions of agent programs.`,
  )
}
