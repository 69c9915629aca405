// @ts-check
// `npm run bench:fidelity`: sends the same conversations through each library to each API, and judges what arrives. Writes
// bench/FIDELITY.md and the tables of docs/internals/comparison.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { dialects, system, user } from 'interlingua'
import { installPeers, readPeerVersion, runOnPeerNode } from '../peers/peer-packages.js'
import { clients, translators } from '../drivers/drivers.js'
import { installFakeHost, models, sent, targets } from '../drivers/fake-host.js'
import { fidelityCases } from './conversations.js'
import { formatDetails, formatTables } from './format-fidelity.js'
import { createUnsupported, judge, judgeError } from './judge.js'

/** @typedef {import('../drivers/fake-host.js').Target} Target */
/** @typedef {import('./conversations.js').FidelityCase} FidelityCase */
/** @typedef {import('./judge.js').Cell} Cell */
/** @typedef {import('./judge.js').Sent} Sent */

runOnPeerNode()
installPeers()
installFakeHost()

/**
 * @param {string} name
 * @param {Target} target
 * @param {(given: FidelityCase) => Promise<Sent>} send
 * @returns {Promise<Cell>}
 */
async function runCases(name, target, send) {
  /** @type {Cell['results']} */
  const results = []
  for (const given of fidelityCases) {
    const judgement = await send(given)
      .then((sent) => judge(given, target, sent))
      .catch(judgeError)
    results.push({ name: given.name, judgement })
  }
  return { name, target, results }
}

/** @param {FidelityCase} given @param {Target} target */
function encode(given, target) {
  const request = {
    model: models[target],
    maxOutputTokens: 1000,
    messages: [...(given.system === '' ? [] : [system(given.system)]), ...given.messages],
    ...(given.tools.length > 0 && {
      tools: given.tools.map((tool) => ({
        type: /** @type {const} */ ('function'),
        ...tool,
        input: { ...tool.input },
      })),
    }),
  }
  const { value, losses } = dialects[target].encodeRequestText(request)
  return { text: value, reports: losses }
}

/** The tools and settings of a body, without messages and instructions. @param {FidelityCase} given @param {Target} target */
function createSettings(given, target) {
  const { text } = encode({ ...given, system: '', messages: [user('Hi')] }, target)
  const { messages: _, contents: __, ...settings } = JSON.parse(text)
  return settings
}

/** Whether the format of a source can express the ids of the calls. @param {FidelityCase} given @param {string} source */
const hasSameIds = ({ messages }, source) =>
  messages
    .flatMap(({ content }) => /** @type {readonly import('interlingua').Part[]} */ (content))
    .every((part) => part.type !== 'tool-call' || source.includes(JSON.stringify(part.id)))

/** @type {Cell[]} */
const cells = []
for (const target of targets)
  cells.push(await runCases('interlingua', target, async (given) => encode(given, target)))

for (const { name, load } of clients) {
  const client = await load()
  for (const target of targets)
    cells.push(
      await runCases(name, target, async (given) => {
        const native = /** @type {any} */ (client.prepare(target, given))
        sent.text = ''
        const result = await client.send(native)
        if (result.text === '') throw new Error('nothing was sent')
        return result
      }),
    )
}

for (const { name, load } of translators) {
  const { supports, translate } = await load()
  for (const target of targets) {
    const from = target === 'anthropic' ? 'openai-chat' : 'anthropic'
    cells.push(
      await runCases(name, target, async (given) => {
        if (!supports(from, target)) throw createUnsupported(`no ${target}`)
        const source = encode(given, from).text
        if (!hasSameIds(given, source)) throw createUnsupported(`such ids cannot be written in ${from}`)
        const { body, reports, isMessagesOnly } = await translate(from, target, JSON.parse(source))
        // Names of models are the caller's, and tools, too, if only messages are translated.
        const settings = isMessagesOnly ? createSettings(given, target) : {}
        const complete = { ...settings, ...body, ...(target !== 'gemini' && { model: models[target] }) }
        return { text: JSON.stringify(complete), reports, source }
      }),
    )
  }
}

const versions = [...clients, ...translators].map(({ name, packages, how }) => ({
  name,
  versions: packages.map((each) => `${each} ${readPeerVersion(each) ?? 'not installed'}`).join(', '),
  how,
}))
const tables = formatTables(cells, versions)
console.log(tables)
const date = new Date().toISOString().slice(0, 10)
writeFileSync(
  new URL('../FIDELITY.md', import.meta.url),
  `# Results of \`npm run bench:fidelity\`\n\n${date}, Node ${process.version}. How to read it: docs/internals/comparison.md\n\n${tables}\n\n${formatDetails(cells)}`,
)
const page = new URL('../../docs/internals/comparison.md', import.meta.url)
const [before = ''] = readFileSync(page, 'utf8').split('## Results')
writeFileSync(page, `${before}## Results\n\nMeasured on ${date}.\n\n${tables}\n`)
