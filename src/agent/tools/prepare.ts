import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { restore } from '../../schema/restore.ts'
import { type SchemaIssue, validateWith } from '../../schema/validate.ts'
import { messageOf } from '../words.ts'
import { errorResult } from './output.ts'
import type { AgentTool } from './tool.ts'
import type { ToolSet } from './tool-set.ts'

/** A call that may be run with this input. */
export interface Runnable {
  readonly call: ToolCallPart
  readonly tool: AgentTool
  readonly input: unknown
}

/** A call that has been looked at: it may be run, or it has been refused with this result. */
export type Prepared = Runnable | { readonly call: ToolCallPart; readonly refused: ToolResultPart }

/**
 * Looks at the calls of one answer, in order; `uses` says how often each tool was called before, `refused` which of the calls
 * must not run and why.
 */
export async function prepare(
  calls: readonly ToolCallPart[],
  tools: ToolSet,
  uses: Map<string, number>,
  refused: ReadonlyMap<string, string> = new Map(),
): Promise<readonly Prepared[]> {
  const checked = await Promise.all(
    calls.map(async (call) => {
      const reason = refused.get(call.id)
      return reason === undefined ? check(call, tools) : refuse(call, reason)
    }),
  )
  // Uses are counted in the order of the calls, so that it does not matter which is approved or finished first.
  return checked.map((prepared) => ('tool' in prepared ? count(prepared, uses) : prepared))
}

async function check(call: ToolCallPart, tools: ToolSet): Promise<Prepared> {
  const tool = tools.get(call.name)
  if (tool === undefined) return refuse(call, unknownTool(call.name, tools.names))
  if (call.arguments === undefined)
    return refuse(call, 'The arguments are not a JSON object. Call the tool again.')
  try {
    const given = restore(call.arguments, tool.definition.input)
    const checked = await validateWith<unknown>(tool.source, given)
    return checked.issues === undefined
      ? { call, tool, input: checked.value }
      : refuse(call, invalidArguments(checked.issues))
  } catch (error) {
    // A schema from outside may be one that nothing can be checked against.
    return refuse(call, `The arguments could not be checked. ${messageOf(error)}`)
  }
}

function count(prepared: Runnable, uses: Map<string, number>): Prepared {
  const { call, tool } = prepared
  const used = uses.get(tool.name) ?? 0
  uses.set(tool.name, used + 1)
  if (tool.maxUses === undefined || used < tool.maxUses) return prepared
  return refuse(call, `This tool may be used ${tool.maxUses} times at most, and has been. Go on without it.`)
}

function refuse(call: ToolCallPart, message: string): Prepared {
  return { call, refused: errorResult(call, message) }
}

function unknownTool(name: string, names: readonly string[]): string {
  const known = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.join(', ')}.`
  return `There is no tool '${name}'. ${known}`
}

function invalidArguments(issues: readonly SchemaIssue[]): string {
  return `The arguments do not fit the schema of the tool. ${listIssues(issues)}`
}

/** Issues as a model reads them. */
export function listIssues(issues: readonly SchemaIssue[]): string {
  return issues.map(({ path, message }) => `${path === '' ? '(whole value)' : path}: ${message}`).join('; ')
}
