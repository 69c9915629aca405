// @ts-check
import { importPeer } from '../peers/peer-packages.js'
import { models, sent } from './fake-host.js'
import { findToolName, readMedia, readSignature, textOfParts } from './read-content.js'

/** @typedef {import('./read-content.js').Conversation} Conversation */
/** @typedef {import('./fake-host.js').Target} Target */

/** @type {{ readonly [target in Target]: readonly [api: string, provider: string] }} */
const apis = {
  'openai-chat': ['openai-completions', 'openai'],
  'openai-responses': ['openai-responses', 'openai'],
  anthropic: ['anthropic-messages', 'anthropic'],
  gemini: ['google-generative-ai', 'google'],
}

/** @param {import('interlingua').Part} part */
function toPart(part) {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'reasoning')
    return { type: 'thinking', thinking: part.text, thinkingSignature: readSignature(part) }
  if (part.type === 'tool-call')
    return { type: 'toolCall', id: part.id, name: part.name, arguments: part.arguments }
  if (part.type === 'image') {
    const { data, mediaType } = readMedia(part)
    return { type: 'image', data, mimeType: mediaType }
  }
  // Its messages contain text, images, thinking and calls.
  throw Object.assign(new Error(`no ${part.type}`), { isUnsupported: true })
}

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 }
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }

/**
 * The assistant is Claude, whose signatures the conversations contain.
 * @param {import('interlingua').Message} message
 * @param {number} timestamp
 * @param {Conversation['messages']} messages
 * @returns {object[]}
 */
function toMessage(message, timestamp, messages) {
  if (message.role === 'system') return [{ role: 'system', content: textOfParts(message), timestamp }]
  if (message.role === 'user') return [{ role: 'user', content: message.content.map(toPart), timestamp }]
  if (message.role === 'assistant') {
    const content = message.content.map(toPart)
    const stopReason = content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop'
    const origin = { api: 'anthropic-messages', provider: 'anthropic', model: models.anthropic }
    return [{ role: 'assistant', content, ...origin, usage: { ...usage, cost }, stopReason, timestamp }]
  }
  return message.content.flatMap((part) => {
    if (part.type !== 'tool-result') return []
    const content = part.content.map((each) => toPart(/** @type {any} */ (each)))
    const toolName = findToolName(messages, part.callId)
    return [
      {
        role: 'toolResult',
        toolCallId: part.callId,
        toolName,
        content,
        isError: part.isError === true,
        timestamp,
      },
    ]
  })
}

export const piAi = {
  name: 'pi-ai',
  packages: ['@earendil-works/pi-ai'],
  how: '`stream` of the API modules with `normalizeContext`; the assistant messages are of Claude; it reports nothing',
  load: async () => {
    const { normalizeContext } = await importPeer('@earendil-works/pi-ai')
    const { builtinModels } = await importPeer('@earendil-works/pi-ai/providers/all')
    const catalog = builtinModels()
    /** @type {Map<string, any>} */
    const modules = new Map()
    for (const [api] of Object.values(apis))
      modules.set(api, await importPeer(`@earendil-works/pi-ai/api/${api}`))
    /** @param {Target} target @param {Conversation} conversation */
    const prepare = (target, conversation) => {
      const [api, provider] = apis[target]
      const model = catalog.getModel(provider, models[target])
      const tools = conversation.tools.map(({ name, description, input }) => ({
        name,
        description,
        parameters: input,
      }))
      const context = {
        ...(conversation.system && { systemPrompt: conversation.system }),
        messages: conversation.messages.flatMap(toMessage),
        ...(tools.length > 0 && { tools }),
      }
      return { api, model: { ...model, api }, context }
    }
    /** @param {ReturnType<typeof prepare>} native */
    const stream = async ({ api, model, context }) => {
      let text = ''
      const events = modules
        .get(api)
        .stream(model, normalizeContext(context), { apiKey: 'none', maxTokens: 1000, maxRetries: 0 })
      for await (const event of events) {
        if (event.type === 'text_delta') text += event.delta
        if (event.type === 'error') throw new Error(event.error?.errorMessage ?? 'failed')
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
