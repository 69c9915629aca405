import { toLensError } from './lens-analysis.ts'
import type { LensSession } from './lens-session.ts'
import type { WorkerAnswer, WorkerCall, WorkerMethods } from './worker-client.ts'

let session: Promise<LensSession> | undefined

/** Starts the lens. The streams view does not need its formats and rules, so they are not loaded for it. */
function getSession(): Promise<LensSession> {
  session ??= import('./lens-session.ts').then(({ LensSession: Session }) => new Session())
  return session
}

/** The functions that the page calls. */
const methods: WorkerMethods = {
  analyze: async (question) => (await getSession()).analyze(question),
  readLines: async (name, start, count) => (await getSession()).readLines(name, start, count),
  copy: async (name, form) => (await getSession()).copy(name, form),
  readStream: async () => (await getSession()).readStream(),
  repair: async () => (await getSession()).repair(),
  buildPlayback: async (text, from) => {
    const { buildPlayback } = await import('../streams/build-playback.ts')
    return buildPlayback(text, from)
  },
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
