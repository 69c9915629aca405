import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codecs } from './codec.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'

/**
 * Messages of Anthropic without a request around them.
 *
 * @example
 * anthropicMessages.fromMessages([{ role: 'user', content: 'Hi' }]).value
 */
export const anthropicMessages: MessageFormat<'anthropic'> = /* @__PURE__ */ defineMessageFormat(
  codecs.anthropic,
)

/**
 * `contents` of Gemini without a request around them.
 *
 * @example
 * geminiContents.fromMessages([{ role: 'user', parts: [{ text: 'Hi' }] }]).value
 */
export const geminiContents: MessageFormat<'gemini'> = /* @__PURE__ */ defineMessageFormat(codecs.gemini)

/**
 * Items of the Responses API without a request around them.
 *
 * @example
 * responsesItems.fromMessages([{ role: 'user', content: 'Hi' }]).value
 */
export const responsesItems: MessageFormat<'openai-responses'> = /* @__PURE__ */ defineMessageFormat(
  codecs['openai-responses'],
)

/**
 * Messages of Ollama without a request around them.
 *
 * @example
 * ollamaMessages.fromMessages([{ role: 'user', content: 'Hi', images: ['iVBORw0…'] }]).value
 */
export const ollamaMessages: MessageFormat<'ollama'> = /* @__PURE__ */ defineMessageFormat(codecs.ollama)

/**
 * Messages of Chat Completions without a request around them.
 *
 * @example
 * chatMessages.fromMessages([{ role: 'developer', content: 'Be brief.' }]).value
 */
export const chatMessages: MessageFormat<'openai-chat'> = /* @__PURE__ */ defineMessageFormat(
  codecs['openai-chat'],
)

/**
 * Messages of Mistral's own API without a request around them.
 *
 * @example
 * mistralMessages.fromMessages([{ role: 'user', content: [{ type: 'document_url', document_url: 'https://…' }] }]).value
 */
export const mistralMessages: MessageFormat<'mistral'> = /* @__PURE__ */ defineMessageFormat(codecs.mistral)

/**
 * Steps of Google's Interactions API without a request around them.
 *
 * @example
 * interactionSteps.fromMessages([{ type: 'user_input', content: [{ type: 'text', text: 'Hi' }] }]).value
 */
export const interactionSteps: MessageFormat<'gemini-interactions'> = /* @__PURE__ */ defineMessageFormat(
  codecs['gemini-interactions'],
)

/**
 * Messages of Amazon Bedrock's Converse API without a request around them.
 *
 * @example
 * bedrockMessages.fromMessages([{ role: 'user', content: [{ text: 'Hi' }] }]).value
 */
export const bedrockMessages: MessageFormat<'bedrock'> = /* @__PURE__ */ defineMessageFormat(codecs.bedrock)

/**
 * Messages of Cohere's Chat API without a request around them.
 *
 * @example
 * cohereMessages.fromMessages([{ role: 'user', content: 'Hi' }]).value
 */
export const cohereMessages: MessageFormat<'cohere'> = /* @__PURE__ */ defineMessageFormat(codecs.cohere)
