// @ts-check
// How much memory a translated stream needs. Each measurement is a process of its own, which is this module as a program.
import { execFileSync } from 'node:child_process'
import { translateStream } from 'interlingua'

/** @typedef {'openai-chat' | 'anthropic'} StreamName */

const MB = 1e6
const TOTAL_BYTES = 100 * MB
/** Memory is compared with that after this many bytes: until then the engine grows the heap for any program. */
const START_BYTES = 10 * MB
const MAX_GROWTH_MB = 30

/** @type {readonly { from: StreamName, to: StreamName, deltaChars: number }[]} */
const cases = [
  { from: 'openai-chat', to: 'anthropic', deltaChars: 60 },
  { from: 'openai-chat', to: 'anthropic', deltaChars: 60_000 },
  { from: 'anthropic', to: 'openai-chat', deltaChars: 60 },
  { from: 'anthropic', to: 'openai-chat', deltaChars: 60_000 },
]

/**
 * Yields a streamed answer of 100 MB, one event a chunk, and measures the memory of the process meanwhile.
 * @param {StreamName} name
 * @param {number} deltaChars
 * @param {(bytes: number) => void} onProgress
 */
async function* createLongStream(name, deltaChars, onProgress) {
  const { createStream } = await import('./samples.js')
  const chunks = await createStream(name, 3, 'x'.repeat(deltaChars))
  const delta = chunks.findIndex((chunk) => Buffer.from(chunk).includes('xxx'))
  yield* chunks.slice(0, delta)
  const template = Buffer.from(chunks[delta + 1] ?? [])
  for (let bytes = 0; bytes < TOTAL_BYTES; bytes += template.length) {
    // A network yields new bytes.
    yield Uint8Array.from(template)
    onProgress(bytes)
  }
  yield* chunks.slice(delta + 3)
}

/** @param {(typeof cases)[number]} measured */
async function run({ from, to, deltaChars }) {
  let [next, start, peak, startLive, live, written] = [START_BYTES, 0, 0, 0, 0, 0]
  const source = createLongStream(from, deltaChars, (bytes) => {
    if (bytes < next) return
    next += START_BYTES / 2
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    if (start === 0) [start, startLive] = [rss, heapUsed + external]
    peak = Math.max(peak, rss)
    live = Math.max(live, heapUsed + external)
  })
  // The default limit protects a client from an answer of this size.
  const limits = { maxTotalChars: 10 * TOTAL_BYTES }
  for await (const bytes of translateStream(source, { from, to, limits })) written += bytes.length
  if (written < (TOTAL_BYTES * deltaChars) / (deltaChars + 400))
    throw new Error(`only ${written} bytes were written`)
  console.log(`${Math.round((peak - start) / MB)} ${Math.round((live - startLive) / MB)}`)
}

/**
 * Yields the growth of memory in each case.
 * @returns {AsyncGenerator<import('./report.js').Measured>}
 */
export async function* measureMemory() {
  for (const [index, { from, to, deltaChars }] of cases.entries()) {
    const args = ['--expose-gc', import.meta.filename, String(index)]
    let value = ''
    let isMet = false
    try {
      const printed = execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString()
      const [grown = 0, live = 0] = printed.split(' ').map(Number)
      value = `${grown} MB (${live} MB of it live objects)`
      isMet = grown <= MAX_GROWTH_MB
    } catch (error) {
      value = `failed: ${String(error)
        .split('\n')
        .find((line) => line.includes('Error:'))
        ?.slice(0, 100)}`
    }
    const name = `${from} to ${to}, 100 MB in deltas of ${deltaChars.toLocaleString('en')} characters`
    yield { name, value, target: `${MAX_GROWTH_MB} MB`, isMet }
  }
}

const asked = process.argv[1] === import.meta.filename ? cases[Number(process.argv[2])] : undefined
if (asked !== undefined) await run(asked)
