import { recordCodec as chatgptExport } from './chatgpt-export/codec.ts'
import { recordCodec as chatMl } from './chatml/codec.ts'
import { recordCodec as claudeExport } from './claude-export/codec.ts'
import type { ConversationCodec, WritableConversationCodec } from './engine/conversation-codec.ts'
import { recordCodec as geminiTuning } from './gemini-tuning/codec.ts'
import { recordCodec as harmony } from './harmony/codec.ts'
import { recordCodec as huggingFace } from './huggingface/codec.ts'
import { recordCodec as markdown } from './markdown/codec.ts'
import { recordCodec as openaiFineTuning } from './openai-fine-tuning/codec.ts'
import { recordCodec as shareGpt } from './sharegpt/codec.ts'

/** The name of a format of files of conversations that can be written. */
export type WritableConversationFormatName =
  | 'chatml'
  | 'gemini-tuning'
  | 'harmony'
  | 'huggingface'
  | 'markdown'
  | 'openai-fine-tuning'
  | 'sharegpt'

/** The name of a format of files of conversations. Exports of chat services can only be read. */
export type ConversationFormatName = WritableConversationFormatName | 'chatgpt-export' | 'claude-export'

/** The codecs of the formats that can be written, by name. */
export const writableConversationCodecs: {
  readonly [name in WritableConversationFormatName]: WritableConversationCodec<name>
} = {
  'openai-fine-tuning': openaiFineTuning,
  'gemini-tuning': geminiTuning,
  sharegpt: shareGpt,
  huggingface: huggingFace,
  chatml: chatMl,
  harmony,
  markdown,
}

/** The codecs of all formats of files of conversations, in the order in which they are detected. */
const conversationCodecs: { readonly [name in ConversationFormatName]: ConversationCodec<name> } = {
  'chatgpt-export': chatgptExport,
  'claude-export': claudeExport,
  ...writableConversationCodecs,
}

/** The codecs in the order in which they are detected. */
export const conversationCodecList: readonly ConversationCodec<ConversationFormatName>[] =
  /* @__PURE__ */ Object.values(conversationCodecs)

/** Returns the codec of a format of files of conversations; undefined for any other name. */
export function findConversationCodec(
  name: string | undefined,
): ConversationCodec<ConversationFormatName> | undefined {
  return name !== undefined && Object.hasOwn(conversationCodecs, name)
    ? conversationCodecs[name as ConversationFormatName]
    : undefined
}

/** Returns true for a format of files of conversations that can be written. */
export function isWritableConversationFormat(name: string): name is WritableConversationFormatName {
  return Object.hasOwn(writableConversationCodecs, name)
}
