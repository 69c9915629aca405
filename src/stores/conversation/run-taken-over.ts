import { InterlinguaError } from '../../errors.ts'

/**
 * Thrown by the `step` of a durable runner when another process has taken over the run. The run ends and stores
 * nothing more, not even results for its open calls: the other process continues them.
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
