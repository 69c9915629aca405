import { anthropicDialect } from '../../dialects/anthropic/index.ts'
import { bedrockDialect } from '../../dialects/bedrock/index.ts'
import { cohereDialect } from '../../dialects/cohere/index.ts'
import type { Dialect, DialectName } from '../../dialects/engine/dialect.ts'
import { geminiDialect } from '../../dialects/gemini/index.ts'
import { geminiInteractionsDialect } from '../../dialects/gemini-interactions/index.ts'
import { mistralDialect } from '../../dialects/mistral/index.ts'
import { ollamaDialect } from '../../dialects/ollama/index.ts'
import { openaiChatDialect } from '../../dialects/openai-chat/index.ts'
import { openaiResponsesDialect } from '../../dialects/openai-responses/index.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { decodeMessages, encodeMessages, type MessageKeys } from './convert-messages.ts'
import { signsByDialect } from './signs.ts'

/** Returns the codec of the bare messages of a dialect. */
function createCodec<Name extends DialectName>(
  name: Name,
  dialect: Dialect,
  keys: MessageKeys,
): MessageFormatCodec<Name> {
  return {
    name,
    signs: signsByDialect[name],
    read: (items, _path, context) => decodeMessages(dialect, keys, items, context),
    write: (messages, report) => encodeMessages(dialect, keys, messages, report),
  }
}

/** The codecs of the bare messages of every dialect. */
export const codecs: { readonly [name in DialectName]: MessageFormatCodec<name> } = {
  anthropic: /* @__PURE__ */ createCodec('anthropic', anthropicDialect, {
    list: 'messages',
    system: 'system',
  }),
  gemini: /* @__PURE__ */ createCodec('gemini', geminiDialect, {
    list: 'contents',
    system: 'systemInstruction',
  }),
  'openai-responses': /* @__PURE__ */ createCodec('openai-responses', openaiResponsesDialect, {
    list: 'input',
  }),
  ollama: /* @__PURE__ */ createCodec('ollama', ollamaDialect, { list: 'messages' }),
  'openai-chat': /* @__PURE__ */ createCodec('openai-chat', openaiChatDialect, { list: 'messages' }),
  mistral: /* @__PURE__ */ createCodec('mistral', mistralDialect, { list: 'messages' }),
  'gemini-interactions': /* @__PURE__ */ createCodec('gemini-interactions', geminiInteractionsDialect, {
    list: 'input',
    system: 'system_instruction',
  }),
  bedrock: /* @__PURE__ */ createCodec('bedrock', bedrockDialect, { list: 'messages', system: 'system' }),
  cohere: /* @__PURE__ */ createCodec('cohere', cohereDialect, { list: 'messages' }),
}
