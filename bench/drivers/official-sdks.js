// @ts-check
import { dialects, system } from 'interlingua'
import { importPeer } from '../peers/peer-packages.js'
import { models, sent } from './fake-host.js'

/** @typedef {import('./read-content.js').Conversation} Conversation */
/** @typedef {import('./fake-host.js').Target} Target */

/** The bodies are ready: users of an SDK hold its types. @param {Target} target @param {Conversation} conversation */
function toBody(target, conversation) {
  const tools = conversation.tools.map((tool) => ({
    type: /** @type {const} */ ('function'),
    ...tool,
    input: { ...tool.input },
  }))
  const messages = [...(conversation.system ? [system(conversation.system)] : []), ...conversation.messages]
  const request = {
    model: models[target],
    maxOutputTokens: 1000,
    messages,
    ...(tools.length > 0 && { tools }),
  }
  return JSON.parse(dialects[target].encodeRequestText(request).value)
}

export const officialSdks = {
  name: 'official SDK',
  packages: ['openai', '@anthropic-ai/sdk', '@google/genai'],
  how: 'the method of each SDK that sends a request, with a ready body',
  load: async () => {
    const { OpenAI } = await importPeer('openai')
    const { Anthropic } = await importPeer('@anthropic-ai/sdk')
    const { GoogleGenAI } = await importPeer('@google/genai')
    const openai = new OpenAI({ apiKey: 'none', maxRetries: 0 })
    const anthropic = new Anthropic({ apiKey: 'none', maxRetries: 0 })
    const google = new GoogleGenAI({ apiKey: 'none' })
    /** @type {{ readonly [target in Target]: readonly [send: (body: any) => Promise<unknown>, stream: (body: any) => Promise<AsyncIterable<any>>, read: (event: any) => string | undefined] }} */
    const calls = {
      'openai-chat': [
        (body) => openai.chat.completions.create(body),
        (body) => openai.chat.completions.create({ ...body, stream: true }),
        (event) => event.choices[0]?.delta.content,
      ],
      'openai-responses': [
        (body) => openai.responses.create(body),
        (body) => openai.responses.create({ ...body, stream: true }),
        (event) => (event.type === 'response.output_text.delta' ? event.delta : ''),
      ],
      anthropic: [
        (body) => anthropic.messages.create(body),
        (body) => anthropic.messages.create({ ...body, stream: true }),
        (event) => event.delta?.text,
      ],
      gemini: [
        (body) => google.models.generateContent({ model: models.gemini, ...body }),
        (body) => google.models.generateContentStream({ model: models.gemini, ...body }),
        (event) => event.text,
      ],
    }
    /** @param {Target} target @param {Conversation} conversation */
    const prepare = (target, conversation) => ({ target, body: toBody(target, conversation) })
    return {
      prepare,
      /** @param {ReturnType<typeof prepare>} native */
      send: async ({ target, body }) => {
        await calls[target][0](body)
        return { text: sent.text, reports: [] }
      },
      /** @param {ReturnType<typeof prepare>} native */
      stream: async ({ target, body }) => {
        const [, open, read] = calls[target]
        let text = ''
        for await (const event of await open(body)) text += read(event) ?? ''
        return text
      },
    }
  },
}
