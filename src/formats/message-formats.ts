import type { DialectName } from '../dialects/engine/dialect.ts'
import { codec as aiSdkModelMessages } from './ai-sdk-model-messages/codec.ts'
import { codec as aiSdkUiMessages } from './ai-sdk-ui-messages/codec.ts'
import { codec as langchain } from './langchain/codec.ts'
import type { MessageFormatCodec } from './engine/message-format.ts'
import { codecs as wireCodecs } from './wire-messages/codec.ts'

/** The name of a format that messages can be written in: a library, or a wire format. */
export type WritableFormatName = DialectName | 'ai-sdk-model-messages' | 'ai-sdk-ui-messages' | 'langchain'

/**
 * The codecs of all formats by name, most specific first: of formats that fit a list equally well, the first one is chosen.
 */
export const messageFormatCodecs: { readonly [name in WritableFormatName]: MessageFormatCodec<name> } = {
  'ai-sdk-ui-messages': aiSdkUiMessages,
  'ai-sdk-model-messages': aiSdkModelMessages,
  langchain,
  ...wireCodecs,
}

/** The codecs in the order in which they are detected. */
export const messageFormatList: readonly MessageFormatCodec<WritableFormatName>[] =
  /* @__PURE__ */ Object.values(messageFormatCodecs)
