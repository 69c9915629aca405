import type { FunctionTool, ProviderTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, attachResidue, getHints } from '../engine/residue-slots.ts'
import {
  createSchemaHint,
  encodeInputSchema,
  fitAndReport,
  type SchemaFitter,
} from '../shared/fit-schemas.ts'
import { GOOGLE_VENDOR } from '../shared/google-common.ts'
import { toHostedTool } from '../shared/hosted-tools.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { noArgumentsSchema } from '../shared/tool-arguments.ts'
import {
  createFunctionTool,
  createToolDecoder,
  encodeToolList,
  preserveRepeatedTools,
} from '../shared/tool-list.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { DIALECT_SLOT, toolChoiceTable, toolNameRule } from './constants.ts'
import type { GeminiInteractionsHints } from './hints.ts'

/** A hosted tool that `generateContent` has, too: its names there, and the options that both have. */
interface SharedToolRow {
  readonly type: string
  /** The first is the name in conversations; the others are further spellings. */
  readonly names: readonly [string, ...string[]]
  /** The wire key of each option by its name in `generateContent`. */
  readonly options: { readonly [name: string]: string }
}

/**
 * The hosted tools that both formats of Google have. Tools of this format alone have the dialect as their provider, so that
 * no other format sends them. Sources: the tool types of `@google/genai` 2.32 and ai.google.dev/api/caching#Tool.
 */
const sharedTools: readonly SharedToolRow[] = [
  {
    type: 'google_search',
    names: ['googleSearch', 'google_search', 'googleSearchRetrieval', 'enterpriseWebSearch'],
    options: {},
  },
  { type: 'code_execution', names: ['codeExecution', 'code_execution'], options: {} },
  { type: 'url_context', names: ['urlContext', 'url_context'], options: {} },
  {
    type: 'file_search',
    names: ['fileSearch', 'file_search'],
    options: {
      fileSearchStoreNames: 'file_search_store_names',
      topK: 'top_k',
      metadataFilter: 'metadata_filter',
    },
  },
  {
    type: 'google_maps',
    names: ['googleMaps', 'google_maps'],
    options: { enableWidget: 'enable_widget' },
  },
  {
    type: 'computer_use',
    names: ['computerUse', 'computer_use'],
    options: { excludedPredefinedFunctions: 'excluded_predefined_functions' },
  },
]

const fitToolSchema: SchemaFitter = ({ schema }, location, context) => ({
  schema: fitAndReport(schema, 'gemini-json-schema', location, context).schema,
})

/** Decodes tools; a tool without a type is kept as an opaque tool. */
export function decodeTools(wire: readonly Json[]): readonly Tool[] {
  return preserveRepeatedTools(
    wire.map((each) => decodeTool(each)),
    DIALECT_SLOT,
  )
}

const decodeTool = createToolDecoder(DIALECT_SLOT, (wire) => {
  const { type, name, description, parameters, ...rest } = wire
  if (typeof type !== 'string' || type === '') return undefined
  if (type !== 'function') return decodeProviderTool(wire, type)
  if (typeof name !== 'string' || name === '' || Object.hasOwn(rest, '$')) return undefined
  const input = isObject(parameters) ? parameters : noArgumentsSchema
  const tool = createFunctionTool(name, description, input)
  const hints = {
    ...createToolNameHint(name, toolNameRule),
    ...(isObject(parameters) && createSchemaHint({ schema: input }, fitToolSchema)),
  }
  return attachResidue(tool, DIALECT_SLOT, hints, wire, writeFunction)
})

function decodeProviderTool(wire: JsonObject, type: string): Tool {
  const { type: _type, ...fields } = wire
  const row = sharedTools.find((each) => each.type === type)
  if (row === undefined) return { type: 'provider', provider: DIALECT_SLOT, name: type, options: fields }
  const entries = Object.entries(row.options).flatMap(([name, key]): [string, Json][] =>
    fields[key] === undefined ? [] : [[name, fields[key]]],
  )
  const options = Object.fromEntries(entries)
  const tool: ProviderTool = { type: 'provider', provider: GOOGLE_VENDOR, name: row.names[0], options }
  return attachResidue(tool, DIALECT_SLOT, {}, wire, writeProviderTool)
}

/** Encodes tools; those that cannot be sent are omitted. */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  return encodeToolList(tools, path, context, { slot: DIALECT_SLOT, encodeTool })
}

function encodeTool(tool: Tool, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, DIALECT_SLOT, path, context)
  const made =
    tool.type === 'function' ? writeFunction(tool, path, context) : writeProviderTool(tool, path, context)
  if (made === undefined) return undefined
  if (tool.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  return applyResidue(made, tool, DIALECT_SLOT)
}

function writeProviderTool(
  tool: ProviderTool,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  if (tool.provider === DIALECT_SLOT) return { ...tool.options, type: tool.name }
  const hosted = toHostedTool(tool, GOOGLE_VENDOR, path, context)
  if (hosted === undefined) return undefined
  const row = sharedTools.find(({ names }) => names.includes(hosted.name))
  if (row === undefined) {
    context.report('foreign-tool', path)
    return undefined
  }
  const wireKeys = new Set(Object.values(row.options))
  const entries = Object.entries(hosted.options).flatMap(([name, value]): [string, Json][] => {
    const key = Object.hasOwn(row.options, name) ? row.options[name] : wireKeys.has(name) ? name : undefined
    if (key !== undefined) return [[key, value]]
    context.report('no-field', child(child(path, 'options'), name))
    return []
  })
  return { type: row.type, ...Object.fromEntries(entries) }
}

function writeFunction(tool: FunctionTool, path: Path | undefined, context: EncodeContext): JsonObject {
  const { name, description, input, strict } = tool
  const hints = getHints(tool, DIALECT_SLOT)
  if (strict === true) context.report('no-field', child(path, 'strict'))
  const { schema } = encodeInputSchema({ input }, fitToolSchema, hints, path, context)
  return {
    type: 'function',
    name: encodeToolName(name, hints, toolNameRule, child(path, 'name'), context),
    ...(description !== undefined && { description }),
    parameters: schema,
  }
}

/** Returns true if the encoded tools contain functions. */
export function hasEncodedFunctions(wire: readonly JsonObject[]): boolean {
  return wire.some((tool) => isObject(tool) && tool['type'] === 'function')
}

export function decodeToolChoice(wire: Json | undefined): ToolChoice | undefined {
  if (typeof wire === 'string') return toolChoiceTable.fromWire(wire)
  const allowedTools = isObject(wire) ? wire['allowed_tools'] : undefined
  if (!isObject(allowedTools)) return undefined
  const { mode: wireMode, tools } = allowedTools
  const mode = toolChoiceTable.fromWire(wireMode)
  const isNamed =
    isList(tools) && tools.length > 0 && tools.every((name) => typeof name === 'string' && name !== '')
  if (!isNamed || mode === undefined || mode === 'none') return undefined
  const [only = '', ...others] = tools as readonly string[]
  if (mode === 'required' && others.length === 0) return { name: only }
  return { allowed: [only, ...others], mode }
}

export function encodeToolChoice(
  choice: ToolChoice,
  hints: GeminiInteractionsHints,
  context: EncodeContext,
): Json {
  if (typeof choice === 'string') return toolChoiceTable.toWire(choice) ?? choice
  const path = child(undefined, 'toolChoice')
  const isNamed = 'name' in choice
  const { allowed, mode } = isNamed ? { allowed: [choice.name], mode: 'required' as const } : choice
  if (allowed.length === 0 || (allowed.length === 1 && mode === 'required' && !isNamed))
    context.report('allowed-tools', path)
  if (allowed.length === 0) return 'none'
  const tools = allowed.map((name) => encodeToolName(name, hints, toolNameRule, path, context))
  return { allowed_tools: { mode: toolChoiceTable.toWire(mode) ?? mode, tools } }
}
