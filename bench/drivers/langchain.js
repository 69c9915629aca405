// @ts-check
import { importPeer } from '../peers/peer-packages.js'
import { models, sent } from './fake-host.js'
import { findToolName, isMedia, readMedia, readSignature, textOfParts } from './read-content.js'

/** @typedef {import('./read-content.js').Conversation} Conversation */
/** @typedef {import('./fake-host.js').Target} Target */

/** A standard content block. @param {import('interlingua').Part} part */
function toBlock(part) {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'reasoning') {
    const signature = readSignature(part)
    return { type: 'reasoning', reasoning: part.text, ...(signature && { signature }) }
  }
  if (part.type === 'tool-call')
    return { type: 'tool_call', id: part.id, name: part.name, args: part.arguments }
  if (part.type === 'image' || part.type === 'file') {
    const { data, mediaType } = readMedia(part)
    return { type: part.type, mimeType: mediaType, data }
  }
  throw new Error(`no ${part.type}`)
}

/** The assistant is Claude, whose signatures the conversations contain. */
const origin = { response_metadata: { model_provider: 'anthropic' } }

export const langchain = {
  name: 'LangChain',
  packages: ['@langchain/core', '@langchain/openai', '@langchain/anthropic', '@langchain/google'],
  how: '`bindTools(…).invoke` and `stream` of the chat models with messages of standard content blocks (`contentBlocks`), the assistant messages of Claude; it reports nothing',
  load: async () => {
    const { AIMessage, HumanMessage, SystemMessage, ToolMessage } =
      await importPeer('@langchain/core/messages')
    const { ChatOpenAI } = await importPeer('@langchain/openai')
    const { ChatAnthropic } = await importPeer('@langchain/anthropic')
    const { ChatGoogle } = await importPeer('@langchain/google')
    const settings = { apiKey: 'none', maxRetries: 0, maxTokens: 1000 }
    const chatModels = {
      'openai-chat': new ChatOpenAI({ ...settings, model: models['openai-chat'], useResponsesApi: false }),
      'openai-responses': new ChatOpenAI({
        ...settings,
        model: models['openai-responses'],
        useResponsesApi: true,
        zdrEnabled: true,
      }),
      anthropic: new ChatAnthropic({ ...settings, model: models.anthropic }),
      gemini: new ChatGoogle({ apiKey: 'none', maxRetries: 0, maxOutputTokens: 1000, model: models.gemini }),
    }
    /** @param {Conversation} conversation */
    const toMessages = ({ system, messages }) => [
      ...(system ? [new SystemMessage(system)] : []),
      ...messages.flatMap((message) => {
        if (message.role === 'system') return [new SystemMessage(textOfParts(message))]
        if (message.role === 'assistant')
          return [new AIMessage({ contentBlocks: message.content.map(toBlock), ...origin })]
        if (message.role === 'user')
          return [new HumanMessage({ contentBlocks: message.content.map((part) => toBlock(part)) })]
        return message.content.flatMap((part) => {
          if (part.type !== 'tool-result') return []
          const content = part.content.some(isMedia)
            ? { contentBlocks: part.content.map((each) => toBlock(/** @type {any} */ (each))) }
            : { content: textOfParts(part) }
          const name = findToolName(messages, part.callId)
          return [
            new ToolMessage({
              ...content,
              tool_call_id: part.callId,
              name,
              ...(part.isError && { status: 'error' }),
            }),
          ]
        })
      }),
    ]
    /** @param {Target} target @param {Conversation} conversation */
    const prepare = (target, conversation) => ({
      model:
        conversation.tools.length === 0
          ? chatModels[target]
          : chatModels[target].bindTools(
              conversation.tools.map(({ name, description, input }) => ({
                name,
                description,
                schema: input,
              })),
            ),
      messages: toMessages(conversation),
    })
    return {
      prepare,
      /** @param {ReturnType<typeof prepare>} native */
      send: async ({ model, messages }) => {
        await model.invoke(messages)
        return { text: sent.text, reports: [] }
      },
      /** @param {ReturnType<typeof prepare>} native */
      stream: async ({ model, messages }) => {
        let text = ''
        for await (const chunk of await model.stream(messages)) text += chunk.text
        return text
      },
    }
  },
}
