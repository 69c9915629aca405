// @ts-check
// Bodies that are translated between formats, by this library and others. The others carry less: see docs/internals/comparison.md.
import { dialects, translateRequest } from 'interlingua'
import { translators } from './drivers/drivers.js'
import { installFakeHost } from './drivers/fake-host.js'
import { installPeers, supportsPeers } from './peers/peer-packages.js'
import { agentRequest, smallRequest } from './samples.js'

/** @typedef {import('./measure.js').Benchmark} Benchmark */
/** @typedef {import('./drivers/fake-host.js').Target} Target */

/** @type {readonly (readonly [from: Target, to: Target])[]} */
const pairs = [
  ['openai-chat', 'anthropic'],
  ['anthropic', 'openai-chat'],
  ['anthropic', 'openai-responses'],
  ['anthropic', 'gemini'],
]

async function loadTranslators() {
  installFakeHost()
  if (!supportsPeers()) return []
  installPeers()
  return Promise.all(translators.map(async ({ name, load }) => ({ name, ...(await load()) })))
}

/** Yields a row for each pair, from text to text, and one for a small request between objects. @returns {AsyncGenerator<Benchmark>} */
export async function* translatorRows() {
  const loaded = await loadTranslators()
  for (const [from, to] of pairs) {
    const text = dialects[from].encodeRequestText(agentRequest).value
    const count = (/** @type {string} */ body) => body.split('Let me look.').length
    yield {
      name: `an agent's request, ${from} to ${to}, text to text`,
      target: 2.5,
      ours: () => JSON.stringify(translateRequest(JSON.parse(text), { from, to }).value),
      plain: () => JSON.stringify(JSON.parse(text)),
      isRight: (/** @type {string} */ body) => count(body) === count(text),
      peers: Object.fromEntries(
        loaded
          .filter(({ supports }) => supports(from, to))
          .map(({ name, translate }) => [
            name,
            async () => JSON.stringify((await translate(from, to, JSON.parse(text))).body),
          ]),
      ),
    }
  }
  const small = dialects['openai-chat'].encodeRequest(smallRequest).value
  const smallText = JSON.stringify(small)
  yield {
    name: 'a small request, openai-chat to anthropic, objects',
    targetMs: 0.012,
    ours: () => translateRequest(small, { from: 'openai-chat', to: 'anthropic' }).value,
    plain: () => JSON.stringify(JSON.parse(smallText)),
    isRight: (body) => JSON.stringify(body).includes('capital of France'),
    peers: Object.fromEntries(
      loaded.map(({ name, translate }) => [
        name,
        async () => (await translate('openai-chat', 'anthropic', small)).body,
      ]),
    ),
  }
}
