// @ts-check
import { importPeer } from '../peers/peer-packages.js'
import { models, sent } from './fake-host.js'
import { isMedia, readMedia, readSignature, textOfParts } from './read-content.js'

/** @typedef {import('./read-content.js').Conversation} Conversation */
/** @typedef {import('./fake-host.js').Target} Target */
/** @typedef {import('interlingua').Part} Part */

/** @param {Part} part */
function toPart(part) {
  if (part.type === 'text') return { type: 'text', content: part.text }
  if (part.type !== 'image' && part.type !== 'file') throw new Error(`no ${part.type}`)
  const { data, mediaType } = readMedia(part)
  return {
    type: part.type === 'image' ? 'image' : 'document',
    source: { type: 'data', value: data, mimeType: mediaType },
  }
}

/** @param {readonly Part[]} content */
const toContent = (content) =>
  content.every(({ type }) => type === 'text') ? textOfParts({ content }) : content.map(toPart)

/** @param {import('interlingua').AssistantMessage} message */
function toAssistant({ content }) {
  const thinking = content.flatMap((part) => {
    const signature = readSignature(part)
    return part.type === 'reasoning' ? [{ content: part.text, ...(signature && { signature }) }] : []
  })
  const toolCalls = content.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            id: part.id,
            type: 'function',
            function: { name: part.name, arguments: JSON.stringify(part.arguments) },
          },
        ]
      : [],
  )
  const text = content.filter(({ type }) => type === 'text')
  return {
    role: 'assistant',
    content: text.length === 0 ? null : textOfParts({ content: text }),
    ...(thinking.length > 0 && { thinking }),
    ...(toolCalls.length > 0 && { toolCalls }),
  }
}

/** @param {import('interlingua').Message} message @returns {object[]} */
function toMessage(message) {
  if (message.role === 'assistant') return [toAssistant(message)]
  if (message.role === 'user') return [{ role: 'user', content: toContent(message.content) }]
  // A model message is of the user, the assistant or a tool; instructions in the middle are not supported.
  if (message.role === 'system')
    throw Object.assign(new Error('instructions in the middle'), { isUnsupported: true })
  return message.content.flatMap((part) => {
    if (part.type !== 'tool-result') return []
    const text = textOfParts(part)
    const content = part.content.some(isMedia) ? toContent(part.content) : text
    return [{ role: 'tool', toolCallId: part.callId, content, ...(part.isError && { error: text }) }]
  })
}

export const tanstack = {
  name: 'TanStack AI',
  packages: ['@tanstack/ai', '@tanstack/ai-openai', '@tanstack/ai-anthropic', '@tanstack/ai-gemini'],
  how: '`chat` with the adapters, model messages, `systemPrompts` and tools without `execute`, read to the end of the stream; it reports nothing',
  load: async () => {
    const { chat } = await importPeer('@tanstack/ai')
    const { createOpenaiChat, createOpenaiChatCompletions } = await importPeer('@tanstack/ai-openai')
    const { createAnthropicChat } = await importPeer('@tanstack/ai-anthropic')
    const { createGeminiChat } = await importPeer('@tanstack/ai-gemini')
    const adapters = {
      'openai-chat': createOpenaiChatCompletions(models['openai-chat'], 'none'),
      'openai-responses': createOpenaiChat(models['openai-responses'], 'none'),
      anthropic: createAnthropicChat(models.anthropic, 'none'),
      gemini: createGeminiChat(models.gemini, 'none'),
    }
    /** @param {Target} target @param {Conversation} conversation */
    const prepare = (target, conversation) => ({
      adapter: adapters[target],
      messages: conversation.messages.flatMap(toMessage),
      ...(conversation.system && { systemPrompts: [conversation.system] }),
      ...(conversation.tools.length > 0 && {
        tools: conversation.tools.map(({ name, description, input }) => ({
          name,
          description,
          inputSchema: input,
        })),
      }),
    })
    /** @param {ReturnType<typeof prepare>} native */
    const stream = async (native) => {
      let text = ''
      for await (const chunk of chat(native)) {
        if (chunk.type === 'RUN_ERROR') throw new Error(chunk.message ?? chunk.error?.message)
        if (chunk.type === 'TEXT_MESSAGE_CONTENT') text += chunk.delta
      }
      return text
    }
    return {
      prepare,
      /** @param {ReturnType<typeof prepare>} native */
      send: async (native) => {
        await stream(native)
        return { text: sent.text, reports: [] }
      },
      stream,
    }
  },
}
