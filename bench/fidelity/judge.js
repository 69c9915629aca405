// @ts-check
// Judges a request body: whether its provider would accept it, and what of the conversation it contains.
import { findRequestProblems } from 'interlingua/testing/providers'
import { models } from '../drivers/fake-host.js'
import { mediaData } from './conversations.js'
import { findCallProblem } from './read-calls.js'

/** @typedef {import('../drivers/fake-host.js').Target} Target */
/** @typedef {import('./conversations.js').FidelityCase} FidelityCase */
/** @typedef {{ text: string, reports: readonly unknown[], source?: string }} Sent */
/** @typedef {'accepted' | 'refused' | 'error' | 'not supported'} Verdict */
/** @typedef {{ verdict: Verdict, reason?: string, callProblem?: string, lost: string[], reports: number }} Judgement */
/** @typedef {{ name: string, target: Target, results: { name: string, judgement: Judgement }[] }} Cell */

/** Creates the error for what a library does not claim to support. @param {string} message */
export const createUnsupported = (message) => Object.assign(new Error(message), { isUnsupported: true })

/** @param {unknown} error @returns {Judgement} */
export function judgeError(error) {
  const message = String(error instanceof Error ? error.message : error).split('\n')[0] ?? ''
  const isUnsupported = error instanceof Error && 'isUnsupported' in error
  return {
    verdict: isUnsupported ? 'not supported' : 'error',
    reason: message.slice(0, 160),
    lost: [],
    reports: 0,
  }
}

/**
 * Words that a body must contain: those of the conversation that its source contains. Only Anthropic reads the signatures.
 * @param {FidelityCase} given
 * @param {Target} target
 * @param {string} source
 */
function findExpected(given, target, source) {
  const all = [...new Set(JSON.stringify(given).match(/KEEP_[A-Z_]+/g)), ...mediaData]
  const isKept = (/** @type {string} */ word) =>
    source.includes(word) && (word !== 'KEEP_SIGNATURE' || target === 'anthropic')
  return all.filter(isKept)
}

/**
 * Anthropic's server combines neighbours of one role before it checks a conversation.
 * @param {Target} target
 * @param {any} body
 */
function toServerView(target, body) {
  if (target !== 'anthropic' || !Array.isArray(body.messages)) return body
  const toBlocks = (/** @type {any} */ content) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  /** @type {any[]} */
  const messages = []
  for (const message of body.messages) {
    const last = messages.at(-1)
    if (last?.role !== message.role) messages.push(message)
    else
      messages.splice(-1, 1, { ...last, content: [...toBlocks(last.content), ...toBlocks(message.content)] })
  }
  return { ...body, messages }
}

/**
 * Judges what a library sent.
 * @param {FidelityCase} given
 * @param {Target} target
 * @param {Sent} sent
 * @returns {Judgement}
 */
export function judge(given, target, { text, reports, source = JSON.stringify(given) }) {
  const body = JSON.parse(text)
  const written = JSON.stringify(body)
  const lost = findExpected(given, target, source).filter((word) => !written.includes(word))
  const [problem] = findRequestProblems(target, toServerView(target, body), { model: models[target] })
  const callProblem = findCallProblem(target, body, given.messages)
  return {
    verdict: problem === undefined ? 'accepted' : 'refused',
    ...(problem && { reason: `${problem.path} ${problem.message}`.trim().slice(0, 160) }),
    ...(callProblem && { callProblem }),
    lost: lost.map((word) => (word.startsWith('KEEP') ? word : 'media data')),
    reports: reports.length,
  }
}
