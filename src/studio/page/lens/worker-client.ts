import type { DialectName } from '../../../dialects/engine/dialect.ts'
import type { StreamPlayback } from '../streams/build-playback.ts'
import type { JsonLine } from './json-lines.ts'
import type { LensAnalysis, LensError, LensQuestion, LensRepair } from './lens-analysis.ts'
// oxlint-disable-next-line import/default -- the bundler adds the export
import workerUrl from './lens-worker.ts?worker&url'
import type { CopyForm } from './lens-targets.ts'

/** The functions that run in the worker, so that large inputs do not block the page. */
export interface WorkerMethods {
  analyze(question: LensQuestion): Promise<LensAnalysis>
  readLines(name: DialectName | undefined, start: number, count: number): Promise<readonly JsonLine[]>
  copy(name: DialectName | undefined, form: CopyForm): Promise<string>
  readStream(): Promise<string>
  repair(): Promise<LensRepair>
  buildPlayback(text: string, from?: string): Promise<StreamPlayback>
}

/** A call of a function in the worker. */
export interface WorkerCall {
  readonly id: number
  readonly method: keyof WorkerMethods
  readonly args: readonly unknown[]
}

/** The result or the error of a call. */
export interface WorkerAnswer {
  readonly id: number
  readonly result?: unknown
  readonly error?: LensError
}

/** The error of a call, as plain data. */
export class WorkerError extends Error {
  readonly details: LensError

  constructor(details: LensError) {
    super(details.message)
    this.details = details
  }
}

/** How long a call may take: an input that takes longer would block all later ones. */
const MAX_CALL_MS = 60_000

const pending = new Map<number, (answer: WorkerAnswer) => void>()
let lastId = 0
let worker: Worker | undefined

/** Calls a function in the worker, which is started by the first call. */
export async function callWorker<Method extends keyof WorkerMethods>(
  method: Method,
  ...args: Parameters<WorkerMethods[Method]>
): Promise<Awaited<ReturnType<WorkerMethods[Method]>>> {
  worker ??= startWorker()
  const id = ++lastId
  const timer = setTimeout(() => stopWorker('The input takes too long.'), MAX_CALL_MS)
  const { result, error } = await new Promise<WorkerAnswer>((resolve) => {
    pending.set(id, resolve)
    worker?.postMessage({ id, method, args } satisfies WorkerCall)
  })
  clearTimeout(timer)
  if (error !== undefined) throw new WorkerError(error)
  return result as Awaited<ReturnType<WorkerMethods[Method]>>
}

function startWorker(): Worker {
  const started = new Worker(toTrustedUrl(workerUrl), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => {
    pending.get(data.id)?.(data)
    pending.delete(data.id)
  })
  started.addEventListener('error', () => stopWorker('The lens stopped unexpectedly.'))
  return started
}

/** Ends the worker and all its calls; the next call starts another one. */
function stopWorker(message: string): void {
  const error = { code: 'internal', message, hint: 'Try a smaller input.' }
  for (const [id, resolve] of pending) resolve({ id, error })
  pending.clear()
  worker?.terminate()
  worker = undefined
}

/** The part of the Trusted Types API that is used; browsers without it accept plain texts. */
interface TrustedTypesWindow {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string },
    ): { createScriptURL(url: string): string }
  }
}

let trustedUrl: string | undefined

/** Returns the URL of the worker in the form that the content security policy requires. A policy exists only once. */
function toTrustedUrl(url: string): string {
  const { trustedTypes } = globalThis as TrustedTypesWindow
  trustedUrl ??=
    trustedTypes?.createPolicy('lens-worker', { createScriptURL: () => url }).createScriptURL(url) ?? url
  return trustedUrl
}
