// @ts-check
// Writes and reads streams as lines of JSON on stdin ask, and prints the outcome of each line. Arguments: build, backend, place.
import { createInterface } from 'node:readline'

const [, , built = '', backend = '', at = ''] = process.argv
const { sqliteStreamLog } = await import(`${built}/stores/sqlite/index.js`)
const { postgresStreamLog } = await import(`${built}/stores/postgres/index.js`)
const streams = await (backend === 'postgres' ? postgresStreamLog(at) : sqliteStreamLog(at))

/** @param {{ id: number, write?: { topic: string, chunks: string[] }, read?: { stream: string, after: number } }} line */
async function run({ id, write, read }) {
  const outcome = write === undefined ? await readEntries(read) : await writeChunks(write)
  process.stdout.write(`${JSON.stringify({ id, outcome })}\n`)
}

/** Writes chunks and leaves the stream open. @param {{ topic: string, chunks: string[] }} write */
async function writeChunks({ topic, chunks }) {
  const writer = await streams.open(topic)
  for (const chunk of chunks) await writer.append(chunk)
  return writer.id
}

/** @param {{ stream: string, after: number } | undefined} read */
async function readEntries({ stream, after } = { stream: '', after: 0 }) {
  const entries = []
  for await (const entry of streams.read(stream, { after })) entries.push(entry)
  return entries
}

for await (const line of createInterface({ input: process.stdin })) void run(JSON.parse(line))
