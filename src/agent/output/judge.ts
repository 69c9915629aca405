import { user } from '../../canonical/build/messages.ts'
import type { AssistantMessage, Message, UserMessage } from '../../canonical/model/message.ts'
import type { SchemaIssue } from '../../schema/validate.ts'
import { isObject } from '../../wire/json.ts'
import { wordsOf } from '../calls.ts'
import { wasStopped } from '../cut.ts'
import { OutputFailure } from '../errors.ts'
import type { Run, StepResult } from '../orchestrators/orchestrator.ts'
import type { RunFinish } from '../result.ts'
import { listIssues } from '../tools/prepare.ts'
import type { OutputFormat } from './format.ts'
import { readText } from './read.ts'

const FAILURES = 'output-failures'

/** What an answer in JSON comes to: the output, or another step in which the model is told what is wrong. */
export async function judge(
  run: Run,
  message: AssistantMessage,
  finish: RunFinish,
  format: OutputFormat,
): Promise<StepResult> {
  if (isRefusal(message, finish)) return { messages: [message], goOn: false, finish }
  const text = wordsOf(message)
  const read = await readText(text, format)
  if ('output' in read) {
    run.emit({ output: read.output.json })
    return { messages: [message], goOn: false, finish, output: read.output }
  }
  if (failedTooOften(run, format)) throw new OutputFailure(text, read.issues, [message])
  return { messages: [message, feedback(read.issues, format)], goOn: true }
}

/** Who refuses is not asked for JSON again. */
export function isRefusal(message: AssistantMessage, finish: RunFinish): boolean {
  return wasStopped(finish) || message.content.some(({ type }) => type === 'refusal')
}

/** Counts one more failure, and says whether it was one too many. */
export function failedTooOften(run: Run, { retries }: OutputFormat): boolean {
  const failures = Number(run.data.get(FAILURES) ?? 0) + 1
  run.data.set(FAILURES, failures)
  return failures > retries
}

function feedback(issues: readonly SchemaIssue[], { schema }: OutputFormat): UserMessage {
  return generated(
    `This does not fit the schema. ${listIssues(issues)}\nAnswer again with nothing but JSON that fits it: ${JSON.stringify(schema)}`,
  )
}

/** Something said to the model in the user's name, marked as not being the user's. */
export function generated(content: string): UserMessage {
  return user(content, { metadata: { interlingua: { generated: 'output-feedback' } } })
}

/** Whether a message is one of those. */
export function isGenerated({ metadata }: Message): boolean {
  return isObject(metadata?.['interlingua']) && Object.hasOwn(metadata['interlingua'], 'generated')
}
