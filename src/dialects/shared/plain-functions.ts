import type { FunctionTool, Tool, ToolGrammar } from '../../canonical/model/tool.ts'
import { isEqualJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { textInputSchema } from './tool-arguments.ts'

/** The namespace of tools that have none: OpenAI's models and Codex treat `functions.exec` and `exec` as one tool. */
const DEFAULT_NAMESPACE = 'functions'

const SEPARATOR = '__'

/** Returns what the name of a tool of the namespace starts with. Namespaces of MCP servers can end in the separator. */
function getNamePrefix(namespace: string): string {
  if (namespace === DEFAULT_NAMESPACE) return ''
  return namespace.endsWith(SEPARATOR) ? namespace : `${namespace}${SEPARATOR}`
}

/** Returns the name of a tool with the name of its namespace in front. */
export function addNamespaceToName(namespace: string, name: string): string {
  return getNamePrefix(namespace) + name
}

/** Returns the name of a tool within its namespace. */
export function removeNamespaceFromName(namespace: string, name: string): string {
  const prefix = getNamePrefix(namespace)
  return name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : name
}

/** Reports the text input of a tool that is no text tool because its schema or `strict` was changed. */
export function reportUnusedTextInput(
  tool: FunctionTool,
  path: Path | undefined,
  context: EncodeContext,
): void {
  if (tool.textInput !== undefined && !isTextTool(tool))
    context.report('text-input', child(path, 'textInput'))
}

/** Decodes a grammar; both OpenAI dialects have the same fields, but in different objects. */
export function decodeGrammar(wire: Json | undefined): ToolGrammar | undefined {
  const { syntax, definition }: JsonObject = isObject(wire) ? wire : {}
  const isKnown = (syntax === 'lark' || syntax === 'regex') && typeof definition === 'string'
  return isKnown ? { syntax, definition } : undefined
}

/** Returns true if a tool receives text, and its schema still is the one of such a tool. */
export function isTextTool({ textInput, strict, input }: FunctionTool): boolean {
  return textInput !== undefined && strict === undefined && isEqualJson(input, textInputSchema)
}

/**
 * Returns tools for a format that has functions without namespaces. The description of a namespace is added to the first
 * of its tools. A tool with text input becomes a function with one text argument whose description contains the grammar,
 * unless the format `supportsTextInput`. Both are reported.
 */
export function toPlainFunctions(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  supportsTextInput = false,
): readonly Tool[] {
  const describedNamespaces = new Set<string>()
  return tools.map((tool, index) => {
    if (tool.type !== 'function') return tool
    const toolPath = child(path, index)
    const { namespace } = tool
    const key = namespace && JSON.stringify([namespace.name, namespace.description])
    const isFirst = key !== undefined && !describedNamespaces.has(key)
    if (isFirst) describedNamespaces.add(key)
    const isOmitted = namespace !== undefined && !tool.name.startsWith(getNamePrefix(namespace.name))
    if (isFirst || isOmitted) context.report('tool-namespace', toolPath)
    reportUnusedTextInput(tool, toolPath, context)
    const isText = !supportsTextInput && isTextTool(tool)
    if (isText) context.report('custom-as-function', toolPath)
    const description = joinDescriptions(
      isFirst ? namespace?.description : undefined,
      tool.description,
      isText ? describeGrammar(tool) : undefined,
    )
    return description === undefined || description === tool.description ? tool : { ...tool, description }
  })
}

/** Joins the descriptions that have a text; undefined if none has. */
function joinDescriptions(...descriptions: readonly (string | undefined)[]): string | undefined {
  const texts = descriptions.filter((each) => each !== undefined && each.trim() !== '')
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

function describeGrammar({ textInput }: FunctionTool): string | undefined {
  if (textInput?.grammar === undefined) return undefined
  const { syntax, definition } = textInput.grammar
  const language = syntax === 'lark' ? 'Lark grammar' : 'regular expression'
  return `The argument \`input\` is text that matches this ${language}:\n${definition}`
}
