import type {
  FunctionTool,
  ProviderTool,
  Tool,
  ToolChoice,
  ToolNamespace,
} from '../../canonical/model/tool.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { CallHintsOfTool } from '../engine/tool-call-forms.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { createSchemaHint, encodeInputSchema, fitOpenaiTool } from '../shared/fit-schemas.ts'
import { noArgumentsSchema, textInputSchema } from '../shared/tool-arguments.ts'
import { applyResidue, attachResidue, getHints, getReceived } from '../engine/residue-slots.ts'
import {
  addNamespaceToName,
  decodeGrammar,
  isTextTool,
  removeNamespaceFromName,
  reportUnusedTextInput,
} from '../shared/plain-functions.ts'
import { createFunctionTool, createRepeatReporter, createToolDecoder } from '../shared/tool-list.ts'
import { toHostedTool } from '../shared/hosted-tools.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { DIALECT_VENDOR, providerToolTypes, DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'
import { createCallNamespace } from './tool-calls.ts'

/** Decodes a tool of the application or of the provider; an unknown one is kept as an opaque tool. */
export const decodeTool: (wire: Json) => Tool = createToolDecoder(DIALECT_SLOT, (wire) => {
  const tool = readFunction(wire) ?? readProvider(wire)
  if (tool === undefined) return undefined
  const hints = tool.type === 'function' ? createFunctionHints(tool, tool.name) : {}
  return attachResidue(tool, DIALECT_SLOT, hints, wire, encodeTool)
})

/** The key under which the first tool of a namespace keeps the fields of the namespace in its residue. */
export const NAMESPACE_KEY = '$namespace'

/** Decodes a tool of a namespace; undefined if it is unknown. `entry` are the fields of the namespace, for its first tool. */
export function decodeNamespacedTool(
  wire: JsonObject,
  namespace: ToolNamespace,
  entry: JsonObject | undefined,
): FunctionTool | undefined {
  const local = readFunction(wire)
  if (local === undefined) return undefined
  const tool = { ...local, name: addNamespaceToName(namespace.name, local.name), namespace }
  const hints = {
    ...createFunctionHints(tool, local.name),
    ...(entry !== undefined && { startsNamespace: true }),
  }
  const received = entry === undefined ? wire : { ...wire, [NAMESPACE_KEY]: entry }
  return attachResidue(tool, DIALECT_SLOT, hints, received, encodeTool)
}

function createFunctionHints({ input, strict }: FunctionTool, wireName: string): OpenAIResponsesHints {
  return {
    ...createToolNameHint(wireName, toolNameRule),
    ...createSchemaHint({ schema: input, strict }, fitOpenaiTool),
  }
}

function readFunction(wire: JsonObject): FunctionTool | undefined {
  const { type, name, description, parameters, strict, format } = wire
  if ((type !== 'function' && type !== 'custom') || typeof name !== 'string' || name === '') return undefined
  if (type === 'custom') {
    const grammar = isObject(format) && format['type'] === 'grammar' ? decodeGrammar(format) : undefined
    const textInput = grammar === undefined ? {} : { grammar }
    return { ...createFunctionTool(name, description, textInputSchema), textInput }
  }
  if (parameters !== undefined && parameters !== null && !isObject(parameters)) return undefined
  return createFunctionTool(name, description, parameters ?? noArgumentsSchema, strict)
}

function readProvider({ type, ...options }: JsonObject): ProviderTool | undefined {
  if (!providerToolTypes.has(type)) return undefined
  return { type: 'provider', provider: DIALECT_VENDOR, name: type as string, options }
}

/** Encodes a tool; returns undefined if it cannot be sent. */
function encodeTool(tool: Tool, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, DIALECT_SLOT, path, context)
  const hosted = tool.type === 'provider' ? toHostedTool(tool, DIALECT_VENDOR, path, context) : undefined
  if (tool.type === 'provider' && !providerToolTypes.has(hosted?.name)) {
    if (hosted !== undefined) context.report('foreign-tool', path)
    return undefined
  }
  if (tool.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  if (tool.type === 'provider') {
    const fields = { ...hosted?.options, type: hosted?.name ?? tool.name }
    return applyResidue(fields, tool, DIALECT_SLOT)
  }
  reportUnusedTextInput(tool, path, context)
  const made = writeFunction(tool, path, context)
  const isFirst = getHints(tool, DIALECT_SLOT)['startsNamespace'] === true
  const entry = isFirst && tool.namespace ? { [NAMESPACE_KEY]: createNamespaceEntry(tool.namespace) } : {}
  return applyResidue({ ...made, ...entry }, tool, DIALECT_SLOT)
}

function createNamespaceEntry({ name, description = '' }: ToolNamespace): JsonObject {
  return { type: 'namespace', name, description }
}

/**
 * Encodes tools; those that cannot be sent or are not included are omitted. The tools of a namespace are one entry, at the
 * position of the first.
 */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  isIncluded: (tool: Tool) => boolean = () => true,
): readonly JsonObject[] {
  const entries: JsonObject[] = []
  const membersByNamespace = new Map<
    string,
    { readonly members: JsonObject[]; readonly description: string | undefined }
  >()
  const omitRepeated = createRepeatReporter(tools, path, context, DIALECT_SLOT)
  for (const [index, tool] of tools.entries()) {
    const isSent = isIncluded(tool) && !omitRepeated(index)
    const made = isSent
      ? (getReceived(tool, context) ?? encodeTool(tool, child(path, index), context))
      : undefined
    if (made === undefined) continue
    if (tool.type !== 'function' || tool.namespace === undefined) {
      entries.push(made)
      continue
    }
    const { namespace } = tool
    const { [NAMESPACE_KEY]: entry, ...member } = made
    const known = membersByNamespace.get(namespace.name)
    if (known !== undefined && entry === undefined) {
      known.members.push(member)
      // The entry has one description: that of the first tool.
      if ((namespace.description ?? '') !== '' && namespace.description !== known.description)
        context.report('no-field', child(child(child(path, index), 'namespace'), 'description'))
      continue
    }
    const members = [member]
    membersByNamespace.set(namespace.name, { members, description: namespace.description })
    entries.push({ ...(isObject(entry) ? entry : createNamespaceEntry(namespace)), tools: members })
  }
  return entries
}

/** Encodes a function. `strict` is always written because its default in this API is true. */
function writeFunction(tool: FunctionTool, path: Path | undefined, context: EncodeContext): JsonObject {
  const { description, namespace } = tool
  const hints = getHints(tool, DIALECT_SLOT)
  const localName = namespace === undefined ? tool.name : removeNamespaceFromName(namespace.name, tool.name)
  const name = encodeToolName(localName, hints, toolNameRule, child(path, 'name'), context)
  const descriptionFields = description === undefined ? {} : { description }
  if (isTextTool(tool)) {
    const { grammar } = tool.textInput ?? {}
    const format = grammar === undefined ? {} : { format: { type: 'grammar', ...grammar } }
    return { type: 'custom', name, ...descriptionFields, ...format }
  }
  const { schema, strict } = encodeInputSchema(tool, fitOpenaiTool, hints, path, context)
  return { type: 'function', name, ...descriptionFields, parameters: schema, strict: strict ?? false }
}

/** Returns the hints for calls of a tool: calls of custom tools and calls of tools in a namespace have forms of their own. */
export const getCallHints: CallHintsOfTool = (tool) => ({
  ...(isTextTool(tool) && { wireType: 'custom_tool_call' }),
  ...(tool.namespace && {
    toolNamespace: createCallNamespace(
      tool.namespace.name,
      removeNamespaceFromName(tool.namespace.name, tool.name),
    ),
  }),
})

/** Decodes a tool choice; a provider tool is chosen by its type. */
export function decodeToolChoice(wire: Json | undefined, tools: readonly Tool[]): ToolChoice | undefined {
  if (wire === 'auto' || wire === 'none' || wire === 'required') return wire
  if (!isObject(wire)) return undefined
  const name = getToolName(wire, tools)
  if (name !== undefined) return { name }
  const { type, mode, tools: allowed } = wire
  if (type !== 'allowed_tools' || !isList(allowed) || (mode !== 'auto' && mode !== 'required'))
    return undefined
  const names = allowed.map((each) => (isObject(each) ? getToolName(each, tools) : undefined))
  return names.every((each) => each !== undefined) ? { allowed: names, mode } : undefined
}

function getToolName({ type, name }: JsonObject, tools: readonly Tool[]): string | undefined {
  if (type === 'function' || type === 'custom')
    return typeof name === 'string' && name !== '' ? findToolName(name, tools) : undefined
  const isProviderTool = tools.some((tool) => tool.type === 'provider' && tool.name === type)
  return isProviderTool && name === undefined ? (type as string) : undefined
}

/** Returns the name of the tool that a choice refers to, which contains no namespace. */
function findToolName(name: string, tools: readonly Tool[]): string {
  const functions = tools.filter((tool) => tool.type === 'function')
  if (functions.some((tool) => tool.name === name)) return name
  const chosen = functions.find(
    (tool) => tool.namespace && removeNamespaceFromName(tool.namespace.name, tool.name) === name,
  )
  return chosen?.name ?? name
}

export function encodeToolChoice(
  choice: ToolChoice,
  tools: readonly Tool[],
  hints: OpenAIResponsesHints,
  context: EncodeContext,
): Json {
  if (typeof choice === 'string') return choice
  const path = child(undefined, 'toolChoice')
  const encodeChoice = (name: string): JsonObject => {
    const tool = tools.find((each) => each.type !== 'opaque' && each.name === name)
    if (tool?.type === 'provider' && tool.provider === DIALECT_VENDOR) return { type: name }
    if (tool?.type !== 'function')
      return { type: 'function', name: encodeToolName(name, hints, toolNameRule, path, context) }
    const localName = tool.namespace ? removeNamespaceFromName(tool.namespace.name, name) : name
    const fit = encodeToolName(localName, hints, toolNameRule, path, context)
    return { type: isTextTool(tool) ? 'custom' : 'function', name: fit }
  }
  if ('name' in choice) return encodeChoice(choice.name)
  return { type: 'allowed_tools', mode: choice.mode, tools: choice.allowed.map(encodeChoice) }
}
