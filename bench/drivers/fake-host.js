// @ts-check
// Takes the place of `fetch`: records what a library sends, and answers as the provider of the URL.
import { dialects } from 'interlingua'
import { answer } from '../samples.js'

/** @typedef {'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'} Target the APIs that the peers have in common */

/** @type {readonly Target[]} */
export const targets = ['openai-chat', 'openai-responses', 'anthropic', 'gemini']

/** A model of each API that all peers know. @type {{ readonly [target in Target]: string }} */
export const models = {
  'openai-chat': 'gpt-4.1',
  'openai-responses': 'gpt-4.1',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
}

/** @param {string} url @returns {Target} */
function findTarget(url) {
  if (url.includes('/chat/completions')) return 'openai-chat'
  if (url.includes('/responses')) return 'openai-responses'
  return url.includes('/messages') ? 'anthropic' : 'gemini'
}

/** The text of the request that was sent last. */
export const sent = { text: '' }

/** The chunks that streams consist of, if not one short answer. @type {{ chunks: readonly Uint8Array[] | undefined }} */
export const streamed = { chunks: undefined }

/** @type {Map<Target, { whole: string, chunks: readonly Uint8Array[] }>} */
const answers = new Map()

/** @param {Target} target */
async function createAnswers(target) {
  const [candidate] = answer.candidates
  const short = {
    ...answer,
    candidates: candidate ? [{ ...candidate, content: candidate.content.slice(0, 1) }] : [],
  }
  const { toEvents } = await import('interlingua')
  /** @type {Uint8Array[]} */
  const chunks = []
  for await (const chunk of dialects[target].encodeStream(toEvents(short))) chunks.push(chunk)
  return { whole: JSON.stringify(dialects[target].encodeResponse(short).value), chunks }
}

/** @param {readonly Uint8Array[]} chunks */
function createBody(chunks) {
  let next = 0
  return new ReadableStream({
    pull: (controller) => {
      const chunk = chunks[next++]
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
  })
}

/** @param {string | URL | Request} input @param {RequestInit} [init] */
async function fakeFetch(input, init) {
  const url = input instanceof Request ? input.url : String(input)
  const body = input instanceof Request && init?.body === undefined ? await input.text() : init?.body
  sent.text = typeof body === 'string' ? body : Buffer.from(/** @type {Uint8Array} */ (body)).toString()
  const target = findTarget(url)
  const ready = answers.get(target) ?? (await createAnswers(target))
  answers.set(target, ready)
  const isStream = url.includes('streamGenerateContent') || sent.text.includes('"stream":true')
  const type = isStream ? 'text/event-stream' : 'application/json'
  const content = isStream ? createBody(streamed.chunks ?? ready.chunks) : ready.whole
  return new Response(content, { headers: { 'content-type': type } })
}

/** Replaces `fetch` in this process: libraries that are created later send nothing. */
export function installFakeHost() {
  globalThis.fetch = fakeFetch
}
