// @ts-check
// Recorded traffic beside the repository, which is no part of it: without it, its rows are skipped.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** @typedef {import('interlingua').DialectName} DialectName */
/** @typedef {{ dialect: string, stream: string | null, stream_format: string | null }} Exchange */

const folder = new URL('../../shared/corpus/', import.meta.url)

/** A sample of this size is read in some milliseconds. */
const MAX_CHARS = 120_000
const MAX_STREAM_CHARS = 40_000

/** Names of dialects in the recordings, if they differ. @type {{ readonly [name: string]: string }} */
const recordedNames = { bedrock: 'bedrock-converse' }

/** @type {Exchange[] | undefined} */
let exchanges

function readExchanges() {
  if (!existsSync(folder)) {
    console.log('(no recorded traffic in ../shared/corpus: its rows are skipped)')
    return []
  }
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl') && !file.includes('.errors.'))
    .toSorted()
    .flatMap((file) => readFileSync(new URL(file, folder), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => /** @type {Exchange} */ (JSON.parse(line)))
    .filter(({ stream }) => stream)
}

/** Gemini answers without \`alt=sse\` are one JSON array, which is no stream of events. */
const isArray = (/** @type {string} */ stream) => stream.trimStart().startsWith('[')

/**
 * Returns some recorded streams of a dialect, one event a chunk. Recordings of binary streams have one payload per line.
 * @param {DialectName} name
 */
export function readRecordedStreams(name) {
  exchanges ??= readExchanges()
  const framing = name === 'bedrock' || name === 'ollama' ? /** @type {const} */ ('lines') : name
  const end = framing === 'lines' ? /(?<=\n)/ : /(?<=\r?\n\r?\n)/
  const recorded = exchanges.filter(({ dialect }) => dialect === (recordedNames[name] ?? name))
  const encoder = new TextEncoder()
  /** @type {Uint8Array[][]} */
  const streams = []
  let length = 0
  for (const { stream } of recorded) {
    if (
      stream === null ||
      isArray(stream) ||
      stream.length > MAX_STREAM_CHARS ||
      length + stream.length > MAX_CHARS
    )
      continue
    length += stream.length
    streams.push(stream.split(end).map((event) => encoder.encode(event)))
  }
  return { streams, framing }
}
