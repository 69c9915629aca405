import { InterlinguaError } from '../../errors.ts'

/**
 * Thrown when another process has taken over a run: by the `step` of a durable runner, or because the lease of the run
 * had expired and another run acquired it. The run ends and stores nothing more, not even results for its open calls:
 * the other process continues them.
 *
 * @example
 * const runner: Runner = {
 *   step: (key, work) =>
 *     record(key, work).catch((error) => {
 *       throw isOwnerLost(error) ? new RunTakenOverError(error) : error
 *     }),
 * }
 */
export class RunTakenOverError extends InterlinguaError {
  override readonly name: string = 'RunTakenOverError'

  constructor(cause?: unknown) {
    super('conflict', 'Another process has taken over the run', {
      hint: 'Wait for the result of the process that continues the run.',
      cause,
    })
  }
}

/** Returns the error of a run that was taken over: the error itself, or one of its causes. */
export function findTakenOverError(error: unknown): RunTakenOverError | undefined {
  if (error instanceof RunTakenOverError) return error
  return error instanceof Error ? findTakenOverError(error.cause) : undefined
}
