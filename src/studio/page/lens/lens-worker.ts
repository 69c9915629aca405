import { buildPlayback } from '../streams/build-playback.ts'
import { LensSession, toLensError } from './lens-session.ts'
import type { WorkerAnswer, WorkerCall, WorkerMethods } from './worker-client.ts'

const session = new LensSession()

/** The functions that the page calls. */
const methods: WorkerMethods = {
  analyze: (question) => session.analyze(question),
  readLines: (name, start, count) => session.readLines(name, start, count),
  copy: (name, form) => session.copy(name, form),
  readStream: () => session.readStream(),
  repair: () => session.repair(),
  buildPlayback,
}

async function answer({ id, method, args }: WorkerCall): Promise<WorkerAnswer> {
  try {
    const run = methods[method] as (...values: readonly unknown[]) => unknown
    return { id, result: await run(...args) }
  } catch (error) {
    return { id, error: toLensError(error) }
  }
}

addEventListener('message', (event: MessageEvent<WorkerCall>) => {
  void answer(event.data).then((result) => postMessage(result))
})
