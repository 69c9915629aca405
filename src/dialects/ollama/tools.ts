import type { DialectLossRule } from '../../canonical/losses/loss-catalog.ts'
import type { FunctionTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createFunctionTool, createToolDecoder, encodeToolList, requiresTools } from '../shared/tool-list.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import type { ToolChoiceForm } from '../engine/setting-tables.ts'
import {
  fitAndReport,
  createSchemaHint,
  type SchemaFitter,
  encodeInputSchema,
} from '../shared/fit-schemas.ts'
import { noArgumentsSchema } from '../shared/tool-arguments.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import { settings } from './settings.ts'

/** Decodes a tool; a tool of an unknown type becomes opaque. */
export const decodeTool: (wire: Json) => Tool = createToolDecoder(DIALECT_SLOT, (wire) => {
  const tool = readFunction(wire)
  if (tool === undefined) return undefined
  const hints = createSchemaHint({ schema: tool.input, strict: tool.strict }, fitInputSchema)
  return attachResidue(tool, DIALECT_SLOT, hints, wire, encodeTool)
})

function readFunction({ type, function: body }: JsonObject): FunctionTool | undefined {
  if ((type !== undefined && type !== 'function') || !isObject(body)) return undefined
  const { name, description, parameters = noArgumentsSchema } = body
  if (typeof name !== 'string' || name === '' || !isObject(parameters)) return undefined
  return createFunctionTool(name, description, parameters)
}

/** Encodes a tool; returns undefined for a tool that cannot be sent. */
function encodeTool(tool: Tool, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, DIALECT_SLOT, path, context)
  if (tool.type === 'provider') {
    context.report('foreign-tool', path)
    return undefined
  }
  const { name, description, input, strict, cache } = tool
  if (strict === true) context.report('no-field', child(path, 'strict'))
  if (cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  const hints = getHints(tool, DIALECT_SLOT)
  const { schema } = encodeInputSchema({ input }, fitInputSchema, hints, path, context)
  const body = { name, ...(description !== undefined && { description }), parameters: schema }
  return applyResidue({ type: 'function', function: body }, tool, DIALECT_SLOT)
}

/** Fits an input schema. The server requires `type: 'object'` at the root. */
const fitInputSchema: SchemaFitter = (requested, location, context) => {
  const { schema } = fitAndReport(requested.schema, 'ollama-tools', location, context)
  if (schema['type'] === 'object') return { schema }
  context.report('schema-root', child(location.path, location.key))
  return { schema: { ...schema, type: 'object' } }
}

/** Encodes tools and omits those that cannot be sent. */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  choice?: ToolChoice,
): readonly JsonObject[] {
  return encodeToolList(tools, path, context, { slot: DIALECT_SLOT, choice, encodeTool })
}

/** Encodes the tools that the tool choice allows; the wire has no other way to express a choice. */
export function encodeAllowedTools(
  tools: readonly Tool[],
  choice: ToolChoice | undefined,
  context: EncodeContext,
): JsonObject {
  const wire = encodeTools(tools, child(undefined, 'tools'), context, choice)
  const rule = choice === undefined || choice === 'auto' ? undefined : getChoiceLossRule(tools, choice)
  if (rule !== undefined) context.report(rule, child(undefined, 'toolChoice'))
  return wire.length === 0 ? {} : { tools: wire }
}

/** Returns the loss rule of a tool choice: the model may call any tool that is sent, and need not call one. */
function getChoiceLossRule(tools: readonly Tool[], choice: ToolChoice): DialectLossRule | undefined {
  if (tools.length === 0) return requiresTools(choice) ? 'choice-without-tools' : undefined
  const setting = settings.toolChoice[getChoiceForm(choice)]
  return setting.support === 'unsupported' ? setting.rule : 'allowed-tools'
}

/** Returns the form of a tool choice; `mode` for a list of allowed tools of which one must be called. */
function getChoiceForm(choice: ToolChoice): ToolChoiceForm {
  if (typeof choice === 'string') return choice
  if ('name' in choice) return 'name'
  return choice.mode === 'auto' ? 'allowed' : 'mode'
}
