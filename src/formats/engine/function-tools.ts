import type { FunctionTool, Tool } from '../../canonical/model/tool.ts'
import { isObject, type Json, type JsonObject, omitUndefined, tryParseJson } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from './format-loss-reporter.ts'

const NO_PARAMETERS = { type: 'object', properties: {} } as const

/**
 * Reads descriptions of functions: a list, or its JSON text, of objects with `name`, `description` and `parameters`, each of
 * which may be the `function` of an object. Undefined if a description is of another form.
 */
export function readFunctionTools(given: Json | undefined): readonly FunctionTool[] | undefined {
  const list = typeof given === 'string' ? tryParseJson(given) : given
  if (!Array.isArray(list)) return undefined
  const tools: FunctionTool[] = []
  for (const item of list as readonly Json[]) {
    const described = isObject(item) && isObject(item['function']) ? item['function'] : item
    if (!isObject(described) || typeof described['name'] !== 'string' || described['name'] === '')
      return undefined
    const { name, description, parameters } = described
    tools.push({
      type: 'function',
      name,
      ...(typeof description === 'string' && { description }),
      input: isObject(parameters) ? parameters : NO_PARAMETERS,
    })
  }
  return tools
}

/** Writes descriptions of functions; other tools, and what a description has no field for, are reported. */
export function writeFunctionTools(tools: readonly Tool[], report: FormatReporter): readonly JsonObject[] {
  const list = child(undefined, 'tools')
  return tools.flatMap((tool, index): readonly JsonObject[] => {
    const path = child(list, index)
    report.addResidue(tool.extra, path)
    if (tool.type !== 'function') {
      report.add('tools-omitted', path)
      return []
    }
    for (const key of ['textInput', 'namespace', 'strict', 'cache'] as const)
      reportField(tool, key, path, report)
    const { name, description, input } = tool
    return [omitUndefined({ name, description, parameters: input })]
  })
}

function reportField(tool: FunctionTool, key: keyof FunctionTool, path: Path, report: FormatReporter): void {
  if (tool[key] !== undefined) report.add('setting-omitted', child(path, key))
}
