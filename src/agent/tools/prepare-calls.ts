import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { stripStrictNulls } from '../../schema/strip-strict-nulls.ts'
import { type SchemaIssue, validateValue } from '../../schema/validate-value.ts'
import { errorMessageOf } from '../error-message.ts'
import { createErrorResult } from './tool-output.ts'
import type { AgentTool } from './tool.ts'
import type { ToolSet } from './tool-set.ts'

/** A call that may be run with this input. */
export interface RunnableCall {
  readonly call: ToolCallPart
  readonly tool: AgentTool
  readonly input: unknown
}

/** A call that has been looked at: it may be run, or it has been refused with this result. */
export type PreparedCall = RunnableCall | { readonly call: ToolCallPart; readonly refused: ToolResultPart }

/**
 * Looks at the calls of one answer, in order; `uses` says how often each tool was called before, `refused` which of the calls
 * must not run and why.
 */
export async function prepareCalls(
  calls: readonly ToolCallPart[],
  tools: ToolSet,
  uses: Map<string, number>,
  refused: ReadonlyMap<string, string> = new Map(),
): Promise<readonly PreparedCall[]> {
  const checked = await Promise.all(
    calls.map(async (call) => {
      const reason = refused.get(call.id)
      return reason === undefined ? checkCall(call, tools) : refuseCall(call, reason)
    }),
  )
  // Uses are counted in the order of the calls, so that it does not matter which is approved or finished first.
  return checked.map((prepared) => ('tool' in prepared ? countUse(prepared, uses) : prepared))
}

async function checkCall(call: ToolCallPart, tools: ToolSet): Promise<PreparedCall> {
  const tool = tools.get(call.name)
  if (tool === undefined) return refuseCall(call, unknownToolMessage(call.name, tools.names))
  if (call.arguments === undefined)
    return refuseCall(call, 'The arguments are not a JSON object. Call the tool again.')
  try {
    const given = stripStrictNulls(call.arguments, tool.definition.input)
    const checked = await validateValue<unknown>(tool.schemaSource, given)
    return checked.issues === undefined
      ? { call, tool, input: checked.value }
      : refuseCall(call, invalidArgumentsMessage(checked.issues))
  } catch (error) {
    // A schema from outside may be one that nothing can be checked against.
    return refuseCall(call, `The arguments could not be checked. ${errorMessageOf(error)}`)
  }
}

function countUse(prepared: RunnableCall, uses: Map<string, number>): PreparedCall {
  const { call, tool } = prepared
  const used = uses.get(tool.name) ?? 0
  uses.set(tool.name, used + 1)
  if (tool.maxUses === undefined || used < tool.maxUses) return prepared
  return refuseCall(
    call,
    `This tool may be used ${tool.maxUses} times at most, and has been. Go on without it.`,
  )
}

function refuseCall(call: ToolCallPart, message: string): PreparedCall {
  return { call, refused: createErrorResult(call, message) }
}

function unknownToolMessage(name: string, names: readonly string[]): string {
  const known = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.join(', ')}.`
  return `There is no tool '${name}'. ${known}`
}

function invalidArgumentsMessage(issues: readonly SchemaIssue[]): string {
  return `The arguments do not fit the schema of the tool. ${formatIssues(issues)}`
}

/** Issues as a model reads them. */
export function formatIssues(issues: readonly SchemaIssue[]): string {
  return issues.map(({ path, message }) => `${path === '' ? '(whole value)' : path}: ${message}`).join('; ')
}
