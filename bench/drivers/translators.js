// @ts-check
// Libraries that translate bodies. They get a body of Anthropic, or of Chat Completions if Anthropic is the target.
import { importPeer } from '../peers/peer-packages.js'
import { sent } from './fake-host.js'

/** @typedef {import('./fake-host.js').Target} Target */
/** @typedef {{ body: Record<string, any>, reports: readonly unknown[], isMessagesOnly?: boolean }} Translated */

export const llmBridge = {
  name: 'llm-bridge',
  packages: ['llm-bridge'],
  how: '`translateBetweenProviders`; it reports nothing',
  load: async () => {
    const { translateBetweenProviders } = await importPeer('llm-bridge')
    const names = {
      'openai-chat': 'openai',
      'openai-responses': 'openai-responses',
      anthropic: 'anthropic',
      gemini: 'google',
    }
    return {
      supports: () => true,
      /** @param {Target} from @param {Target} to @param {object} body @returns {Translated} */
      translate: (from, to, body) => ({
        body: translateBetweenProviders(names[from], names[to], body),
        reports: [],
      }),
    }
  },
}

export const lingua = {
  name: '@braintrust/lingua',
  packages: ['@braintrust/lingua'],
  how: '`getWasm().transform_request` with the body as text; it reports nothing',
  load: async () => {
    const { getWasm } = await importPeer('@braintrust/lingua')
    const wasm = getWasm()
    const names = {
      'openai-chat': 'openai',
      'openai-responses': 'responses',
      anthropic: 'anthropic',
      gemini: 'google',
    }
    return {
      supports: () => true,
      /** @param {Target} _ @param {Target} to @param {object} body @returns {Translated} */
      translate: (_, to, body) => {
        const result = wasm.transform_request(JSON.stringify(body), names[to], undefined)
        const { data } = result
        return { body: typeof data === 'string' ? JSON.parse(data) : data, reports: [] }
      },
    }
  },
}

export const llmMessages = {
  name: 'llm-messages',
  packages: ['llm-messages'],
  how: '`convert` for the messages and instructions of a body; tools and settings, which it leaves to the caller, are those of interlingua; reports are `onWarning`',
  load: async () => {
    const { convert } = await importPeer('llm-messages')
    const names = {
      'openai-chat': 'openai',
      'openai-responses': '',
      anthropic: 'anthropic',
      gemini: 'gemini',
    }
    return {
      /** @param {Target} from @param {Target} to */
      supports: (from, to) => names[from] !== '' && names[to] !== '',
      /** @param {Target} from @param {Target} to @param {Record<string, any>} body @returns {Translated} */
      translate: (from, to, body) => {
        /** @type {unknown[]} */
        const reports = []
        const conversation =
          from === 'openai-chat' ? body['messages'] : { system: body['system'], messages: body['messages'] }
        const options = { onWarning: (/** @type {unknown} */ warning) => reports.push(warning) }
        const converted = convert(conversation, { from: names[from], to: names[to] }, options)
        return {
          body: Array.isArray(converted) ? { messages: converted } : converted,
          reports,
          isMessagesOnly: true,
        }
      },
    }
  },
}

export const llmProtocol = {
  name: 'llm-protocol',
  packages: ['llm-protocol'],
  how: '`translate({ from, to })` with a `Request`; reports are the warnings of `trace`',
  load: async () => {
    const { translate } = await importPeer('llm-protocol')
    const names = {
      'openai-chat': 'openai-chat',
      anthropic: 'anthropic-messages',
      'openai-responses': '',
      gemini: '',
    }
    return {
      /** @param {Target} from @param {Target} to */
      supports: (from, to) => names[from] !== '' && names[to] !== '',
      /** @param {Target} from @param {Target} to @param {object} body @returns {Promise<Translated>} */
      translate: async (from, to, body) => {
        /** @type {unknown[]} */
        const reports = []
        const handler = translate({
          from: names[from],
          to: names[to],
          trace: (/** @type {{ warnings?: unknown[] }} */ { warnings }) => reports.push(...(warnings ?? [])),
        })
        const path = from === 'anthropic' ? '/v1/messages' : '/v1/chat/completions'
        const headers = {
          'content-type': 'application/json',
          authorization: 'Bearer none',
          'x-api-key': 'none',
        }
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        sent.text = ''
        const response = await handler(new Request(`https://api.example.com${path}`, init))
        if (sent.text === '') throw new Error((await response.text()).slice(0, 200))
        return { body: JSON.parse(sent.text), reports }
      },
    }
  },
}
