// @ts-check
import * as providers from 'interlingua/providers'
import { system } from 'interlingua'
import { models, sent } from './fake-host.js'

/** @typedef {import('./read-content.js').Conversation} Conversation */
/** @typedef {import('./fake-host.js').Target} Target */

export const interlingua = {
  name: 'interlingua',
  load: async () => {
    const options = { apiKey: 'none', fetch: globalThis.fetch }
    const clients = {
      'openai-chat': providers.openaiChat(models['openai-chat'], options),
      'openai-responses': providers.openaiResponses(models['openai-responses'], options),
      anthropic: providers.anthropic(models.anthropic, options),
      gemini: providers.gemini(models.gemini, options),
    }
    /** @param {Target} target @param {Conversation} conversation */
    const prepare = (target, conversation) => ({
      model: clients[target],
      input: {
        messages: [...(conversation.system ? [system(conversation.system)] : []), ...conversation.messages],
        maxOutputTokens: 1000,
        ...(conversation.tools.length > 0 && {
          tools: conversation.tools.map((tool) => ({
            type: /** @type {const} */ ('function'),
            ...tool,
            input: { ...tool.input },
          })),
        }),
      },
    })
    return {
      prepare,
      /** @param {ReturnType<typeof prepare>} native */
      send: async ({ model, input }) => {
        await model.generate(input)
        return { text: sent.text, reports: [] }
      },
      /** @param {ReturnType<typeof prepare>} native */
      stream: async ({ model, input }) => {
        let text = ''
        for await (const event of model.stream(input)) if (event.type === 'text-delta') text += event.text
        return text
      },
    }
  },
}
