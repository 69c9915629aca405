import { user } from '../../canonical/build/messages.ts'
import type { AssistantMessage, Message, UserMessage } from '../../canonical/model/message.ts'
import type { SchemaIssue } from '../../schema/validate-value.ts'
import { isObject } from '../../wire/json.ts'
import { modelTextOf } from '../assistant-content.ts'
import { isStoppedByProvider } from '../truncated-calls.ts'
import { OutputFailure } from '../run-errors.ts'
import type { Run, StepResult } from '../orchestrators/orchestrator.ts'
import type { RunFinish } from '../agent-result.ts'
import { formatIssues } from '../tools/prepare-calls.ts'
import type { OutputSpec } from './output-spec.ts'
import { readOutputText } from './read-output.ts'

const FAILURE_COUNT_KEY = 'output-failures'

/** What an answer in JSON comes to: the output, or another step in which the model is told what is wrong. */
export async function checkOutput(
  run: Run,
  message: AssistantMessage,
  finish: RunFinish,
  format: OutputSpec,
): Promise<StepResult> {
  if (isRefusal(message, finish)) return { messages: [message], shouldContinue: false, finish }
  const text = modelTextOf(message)
  const read = await readOutputText(text, format)
  if ('output' in read) {
    run.emit({ output: read.output.json })
    return { messages: [message], shouldContinue: false, finish, output: read.output }
  }
  if (recordOutputFailure(run, format)) throw new OutputFailure(text, read.issues, [message])
  return { messages: [message, createFeedbackMessage(read.issues, format)], shouldContinue: true }
}

/** Who refuses is not asked for JSON again. */
export function isRefusal(message: AssistantMessage, finish: RunFinish): boolean {
  return isStoppedByProvider(finish) || message.content.some(({ type }) => type === 'refusal')
}

/** Counts one more failure, and says whether it was one too many. */
export function recordOutputFailure(run: Run, { maxRetries }: OutputSpec): boolean {
  const failures = Number(run.data.get(FAILURE_COUNT_KEY) ?? 0) + 1
  run.data.set(FAILURE_COUNT_KEY, failures)
  return failures > maxRetries
}

function createFeedbackMessage(issues: readonly SchemaIssue[], { schema }: OutputSpec): UserMessage {
  return createGeneratedMessage(
    `This does not fit the schema. ${formatIssues(issues)}\nAnswer again with nothing but JSON that fits it: ${JSON.stringify(schema)}`,
  )
}

/** Something said to the model in the user's name, marked as not being the user's. */
export function createGeneratedMessage(content: string): UserMessage {
  return user(content, { metadata: { interlingua: { generated: 'output-feedback' } } })
}

/** Whether a message is one of those. */
export function isGeneratedMessage({ metadata }: Message): boolean {
  return isObject(metadata?.['interlingua']) && Object.hasOwn(metadata['interlingua'], 'generated')
}
