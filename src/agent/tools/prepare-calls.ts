import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { stripStrictNulls } from '../../schema/strip-strict-nulls.ts'
import { type SchemaIssue, validateValue } from '../../schema/validate-value.ts'
import { errorMessageOf } from '../error-message.ts'
import { createErrorResult } from './tool-output.ts'
import type { AgentTool } from './tool.ts'
import type { ToolSet } from './tool-set.ts'

/** A tool call with validated input. */
export interface RunnableCall {
  readonly call: ToolCallPart
  readonly tool: AgentTool
  readonly input: unknown
}

/** A checked tool call: it can run, or it was refused with an error result. */
export type PreparedCall = RunnableCall | { readonly call: ToolCallPart; readonly refused: ToolResultPart }

/** What refuses calls before their input is validated. */
export interface CallChecks {
  /** Reasons for the model, by the id of the call. */
  readonly refused?: ReadonlyMap<string, string> | undefined
  /** The calls that run; those after them are refused. */
  readonly maxCalls: number
}

/** Checks the calls of one message. `uses` counts earlier calls. */
export async function prepareCalls(
  calls: readonly ToolCallPart[],
  tools: ToolSet,
  uses: Map<string, number>,
  { refused, maxCalls }: CallChecks,
): Promise<readonly PreparedCall[]> {
  const checked = await Promise.all(
    calls.map(async (call, index) => {
      const reason = index < maxCalls ? refused?.get(call.id) : createExcessMessage(maxCalls)
      return reason === undefined ? checkCall(call, tools) : refuseCall(call, reason)
    }),
  )
  // Uses are counted in the order of the calls, independent of the order in which calls are approved or
  // complete.
  return checked.map((prepared) => ('tool' in prepared ? countUse(prepared, uses) : prepared))
}

async function checkCall(call: ToolCallPart, tools: ToolSet): Promise<PreparedCall> {
  const tool = tools.get(call.name)
  if (tool === undefined) return refuseCall(call, unknownToolMessage(call.name, tools.names))
  if (call.arguments === undefined)
    return refuseCall(call, 'The arguments are not a JSON object. Call the tool again.')
  try {
    const input = stripStrictNulls(call.arguments, tool.definition.input)
    const checked = await validateValue<unknown>(tool.schemaSource, input)
    if (checked.issues === undefined) return { call, tool, input: checked.value }
    const issues = formatIssues(checked.issues)
    return refuseCall(call, `The arguments do not conform to the schema of the tool. ${issues}`)
  } catch (error) {
    // A schema of an external server may be invalid.
    return refuseCall(call, `The arguments could not be validated. ${errorMessageOf(error)}`)
  }
}

function countUse(prepared: RunnableCall, uses: Map<string, number>): PreparedCall {
  const { call, tool } = prepared
  const used = uses.get(tool.name) ?? 0
  uses.set(tool.name, used + 1)
  if (tool.maxUses === undefined || used < tool.maxUses) return prepared
  return refuseCall(call, `This tool has reached its limit of ${tool.maxUses} uses. Continue without it.`)
}

function refuseCall(call: ToolCallPart, message: string): PreparedCall {
  return { call, refused: createErrorResult(call, message) }
}

function createExcessMessage(maxCalls: number): string {
  return `The tool did not run: only the first ${maxCalls} calls of an answer run. Call fewer tools at once.`
}

function unknownToolMessage(name: string, names: readonly string[]): string {
  const known = names.length === 0 ? 'No tools are available.' : `Available tools: ${names.join(', ')}.`
  return `There is no tool '${name}'. ${known}`
}

/** Formats schema issues for the model. */
export function formatIssues(issues: readonly SchemaIssue[]): string {
  return issues.map(({ path, message }) => `${path === '' ? '(root)' : path}: ${message}`).join('; ')
}
