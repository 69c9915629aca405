// @ts-check
import { importPeer } from '../peers/peer-packages.js'
import { models, sent } from './fake-host.js'
import { findToolName, isMedia, readMedia, readSignature, textOfParts } from './read-content.js'

/** @typedef {import('./read-content.js').Conversation} Conversation */
/** @typedef {import('./fake-host.js').Target} Target */

/** The namespace of provider options. @type {{ readonly [target in Target]: string }} */
const namespaces = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
}

/** @param {import('interlingua').Part} part */
function toPart(part) {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'reasoning') {
    const signature = readSignature(part)
    const options = signature && { [part.signature?.vendor ?? '']: { signature } }
    return { type: 'reasoning', text: part.text, ...(options && { providerOptions: options }) }
  }
  if (part.type === 'tool-call')
    return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.arguments }
  if (part.type === 'image' || part.type === 'file') return { type: 'file', ...readMedia(part) }
  throw new Error(`no ${part.type}`)
}

/** @param {import('interlingua').ToolResultPart} part */
function toOutput(part) {
  const value = textOfParts(part)
  if (part.isError) return { type: 'error-text', value }
  if (!part.content.some(isMedia)) return { type: 'text', value }
  return { type: 'content', value: part.content.map((each) => toPart(/** @type {any} */ (each))) }
}

/** @param {Conversation} conversation */
function toMessages({ messages }) {
  return messages.map((message) => {
    if (message.role === 'system') return { role: 'system', content: textOfParts(message) }
    if (message.role !== 'tool') return { role: message.role, content: message.content.map(toPart) }
    const content = message.content.flatMap((part) =>
      part.type === 'tool-result'
        ? [
            {
              type: 'tool-result',
              toolCallId: part.callId,
              toolName: findToolName(messages, part.callId),
              output: toOutput(part),
            },
          ]
        : [],
    )
    return { role: 'tool', content }
  })
}

export const aiSdk = {
  name: 'AI SDK',
  packages: ['ai', '@ai-sdk/openai', '@ai-sdk/anthropic', '@ai-sdk/google'],
  how: '`generateText` and `streamText` with `instructions`, model messages and tools without `execute`; reports are `warnings`',
  load: async () => {
    const { generateText, streamText, jsonSchema, tool } = await importPeer('ai')
    const { createOpenAI } = await importPeer('@ai-sdk/openai')
    const { createAnthropic } = await importPeer('@ai-sdk/anthropic')
    const { createGoogleGenerativeAI } = await importPeer('@ai-sdk/google')
    Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
    const apiKey = 'none'
    const openai = createOpenAI({ apiKey })
    const languageModels = {
      'openai-chat': openai.chat(models['openai-chat']),
      'openai-responses': openai.responses(models['openai-responses']),
      anthropic: createAnthropic({ apiKey })(models.anthropic),
      gemini: createGoogleGenerativeAI({ apiKey })(models.gemini),
    }
    /** @param {Target} target @param {Conversation} conversation */
    const prepare = (target, conversation) => ({
      model: languageModels[target],
      ...(conversation.system && { instructions: conversation.system }),
      allowSystemInMessages: true,
      messages: toMessages(conversation),
      maxOutputTokens: 1000,
      maxRetries: 0,
      providerOptions: { [namespaces[target]]: target === 'openai-responses' ? { store: false } : {} },
      ...(conversation.tools.length > 0 && {
        tools: Object.fromEntries(
          conversation.tools.map(({ name, description, input }) => [
            name,
            tool({ description, inputSchema: jsonSchema(input) }),
          ]),
        ),
      }),
    })
    return {
      prepare,
      /** @param {ReturnType<typeof prepare>} native */
      send: async (native) => {
        const { warnings } = await generateText(native)
        return { text: sent.text, reports: warnings ?? [] }
      },
      /** @param {ReturnType<typeof prepare>} native */
      stream: async (native) => {
        let text = ''
        for await (const delta of streamText(native).textStream) text += delta
        return text
      },
    }
  },
}
