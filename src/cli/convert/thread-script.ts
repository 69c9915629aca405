import { parentPort, workerData } from 'node:worker_threads'
import { loadRegistry } from '../registry.ts'
import { convertBatch, type ThreadData } from './convert-batch.ts'

/** The script of a worker thread: receives batches of lines as bytes, and answers each with its conversion. */
const { options, registryUrl } = workerData as ThreadData
await loadRegistry(registryUrl)

parentPort?.on('message', (bytes: Uint8Array) => {
  const result = convertBatch(bytes, options)
  parentPort?.postMessage(result, [result.output.buffer])
})
