import type { Message } from '../canonical/model/message.ts'
import { InterlinguaError } from '../errors.ts'
import type { SchemaIssue } from '../schema/validate-value.ts'
import type { AgentResult } from './agent-result.ts'
import type { ToolBatchResult } from './tools/tool-batch.ts'
import { errorMessageOf } from './error-message.ts'

/**
 * A run that failed. `partial` contains what was complete, and its messages pass `validate`; `cause` is the
 * original error, such as the `ProviderError` of a model that could not be reached.
 *
 * @example
 * try {
 *   await agent.send('Hi', { history })
 * } catch (error) {
 *   if (error instanceof RunError) history.push(...error.partial.messages)
 * }
 */
export class RunError extends InterlinguaError {
  override readonly name: string = 'RunError'
  readonly partial: AgentResult

  constructor(cause: unknown, partial: AgentResult) {
    const known = cause instanceof InterlinguaError ? cause : undefined
    super(known?.code ?? 'run-failed', errorMessageOf(cause), {
      ...(known?.hint !== undefined && { hint: known.hint }),
      retryable: known?.retryable ?? false,
      cause,
    })
    this.partial = partial
  }
}

/**
 * A run whose model returned no output that conforms to the schema, also after all retries.
 *
 * @example
 * if (error instanceof OutputError) console.error(error.text, error.issues)
 */
export class OutputError extends RunError {
  override readonly name: string = 'OutputError'
  /** The last output of the model. */
  readonly text: string
  readonly issues: readonly SchemaIssue[]

  constructor(failure: OutputFailure, partial: AgentResult) {
    super(failure, partial)
    this.text = failure.text
    this.issues = failure.issues
  }
}

/** Thrown by orchestrators; the run converts it to an {@link OutputError} with the partial result. */
export class OutputFailure extends InterlinguaError {
  readonly text: string
  readonly issues: readonly SchemaIssue[]
  /** Messages that are not yet in the conversation. */
  readonly messages: readonly Message[]

  constructor(text: string, issues: readonly SchemaIssue[], messages: readonly Message[]) {
    super('invalid-output', 'The model returned no output that conforms to the schema', {
      ...(issues[0] && { path: issues[0].path, found: issues[0].message }),
      expected: 'JSON that conforms to the schema',
      hint: 'Simplify the schema, improve its descriptions, raise `outputRetries`, or use another model.',
    })
    this.text = text
    this.issues = issues
    this.messages = messages
  }
}

/** Thrown to pause a run whose tool calls wait for the caller. */
export class PauseSignal extends Error {
  readonly batch: Omit<ToolBatchResult, 'results'>

  constructor(batch: Omit<ToolBatchResult, 'results'>) {
    super('The run is paused')
    this.batch = batch
  }
}
