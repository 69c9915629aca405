import type { Message } from '../canonical/model/message.ts'
import { InterlinguaError } from '../errors.ts'
import type { SchemaIssue } from '../schema/validate-value.ts'
import type { AgentResult } from './agent-result.ts'
import type { ToolBatchResult } from './tools/tool-batch.ts'
import { errorMessageOf } from './error-message.ts'

/**
 * A run that ended with an error. What was completed before is in `partial`, and its messages validate; the error itself is
 * the `cause`, such as the `ProviderError` of a model that could not be reached.
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

/** A model that did not give output that fits the schema, however often it was told what is wrong. */
export class OutputError extends RunError {
  override readonly name: string = 'OutputError'
  /** What the model said last. */
  readonly text: string
  readonly issues: readonly SchemaIssue[]

  constructor(failure: OutputFailure, partial: AgentResult) {
    super(failure, partial)
    this.text = failure.text
    this.issues = failure.issues
  }
}

/** Thrown by orchestrators; the run makes an {@link OutputError} of it, with what was completed. */
export class OutputFailure extends InterlinguaError {
  readonly text: string
  readonly issues: readonly SchemaIssue[]
  /** What is still to be taken into the conversation. */
  readonly messages: readonly Message[]

  constructor(text: string, issues: readonly SchemaIssue[], messages: readonly Message[]) {
    super('invalid-output', 'The model gave no output that fits the schema', {
      ...(issues[0] && { path: issues[0].path, found: issues[0].message }),
      expected: 'JSON that fits the schema',
      hint: 'Make the schema simpler or its descriptions clearer, allow more retries, or use another model.',
    })
    this.text = text
    this.issues = issues
    this.messages = messages
  }
}

/** Ends a run whose calls wait for the caller. */
export class PauseSignal extends Error {
  readonly batch: Omit<ToolBatchResult, 'results'>

  constructor(open: Omit<ToolBatchResult, 'results'>) {
    super('The run waits for the caller')
    this.batch = open
  }
}
