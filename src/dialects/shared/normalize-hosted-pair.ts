import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { isList, isObject, type Json, readStringOrEmpty } from '../../wire/json.ts'

/** Code that a provider ran, or a web search that it made, in no format. */
export type NormalizedHostedUse = CodeUse | SearchUse

interface CodeUse {
  readonly tool: 'code_execution'
  readonly code: string
  readonly output: string
  readonly error: string
  readonly isFailed: boolean
}

interface SearchUse {
  readonly tool: 'web_search'
  readonly query: string
  readonly sources: readonly { readonly url: string; readonly title: string }[]
}

/** The names of the calls of hosted tools in the formats, and the argument that each needs. */
const callNames: ReadonlyMap<
  string,
  { readonly tool: NormalizedHostedUse['tool']; readonly argument: string }
> = new Map([
  ['code_execution', { tool: 'code_execution', argument: 'code' }],
  ['code_interpreter', { tool: 'code_execution', argument: 'code' }],
  ['web_search', { tool: 'web_search', argument: 'query' }],
] as const)

/** Outcomes of code that failed at Google. */
const failedOutcomes: ReadonlySet<unknown> = new Set(['OUTCOME_FAILED', 'OUTCOME_DEADLINE_EXCEEDED'])

/** Returns the use of a hosted tool; undefined for a tool or a result without a counterpart in other formats. */
export function normalizeHostedPair(
  call: ToolCallPart,
  result: ToolResultPart,
): NormalizedHostedUse | undefined {
  const row = callNames.get(call.name)
  const input = row && call.arguments?.[row.argument]
  const [only, ...others] = result.content
  if (row === undefined || typeof input !== 'string' || only?.type !== 'json' || others.length > 0)
    return undefined
  if (row.tool === 'code_execution') {
    const output = readCodeOutput(only.value)
    return output && { tool: row.tool, code: input, ...output }
  }
  const sources = readSources(only.value)
  return sources && { tool: row.tool, query: input, sources }
}

type CodeOutput = Pick<CodeUse, 'output' | 'error' | 'isFailed'>

/** Reads the output of code: of Anthropic, Google, or the logs of OpenAI. */
function readCodeOutput(value: Json): CodeOutput | undefined {
  if (isList(value)) {
    const logs = value.map((entry) =>
      isObject(entry) && entry['type'] === 'logs' ? entry['logs'] : undefined,
    )
    return logs.every((log) => typeof log === 'string')
      ? { output: logs.join(''), error: '', isFailed: false }
      : undefined
  }
  if (!isObject(value)) return undefined
  const { type, stdout, stderr, return_code: code, content, outcome, output } = value
  if (type === 'code_execution_result' && (!isList(content) || content.length === 0))
    return { output: readStringOrEmpty(stdout), error: readStringOrEmpty(stderr), isFailed: code !== 0 }
  if (typeof outcome !== 'string') return undefined
  const isFailed = failedOutcomes.has(outcome)
  const text = readStringOrEmpty(output)
  return { output: isFailed ? '' : text, error: isFailed ? text : '', isFailed }
}

function readSources(value: Json): SearchUse['sources'] | undefined {
  if (!isList(value)) return undefined
  const sources = value.map((entry) => {
    const { url, title } = isObject(entry) ? entry : {}
    return typeof url === 'string' ? { url, title: readStringOrEmpty(title) } : undefined
  })
  return sources.every((source) => source !== undefined) ? sources : undefined
}
