import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { fitSchema } from '../../schema/fit-schema.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { PropertyKeyHint, SchemaHint, ToolNameHint } from '../engine/residue-hints.ts'
import type { Slot } from '../engine/residue-slots.ts'
import { createSchemaHint, createStrictFitter, type SchemaFitter } from './fit-schemas.ts'
import { collectOriginalPropertyKeys, encodeSchemaKeys, restoreArgumentKeys } from './property-keys.ts'
import {
  collectOriginalToolNames,
  createToolNameHint,
  restoreToolName,
  type ToolNameRule,
} from './tool-names.ts'

/**
 * The rule of Claude for the keys of a tool's own properties, on every host; those of nested objects are not checked. The
 * message of the error (2025): "input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".
 */
export const claudePropertyKeyRule: ToolNameRule = { maxLength: 64, pattern: /^[a-zA-Z0-9_.-]+$/ }

const STRICT_TARGET = 'anthropic-strict'
const fitStrictOrPlain = createStrictFitter(STRICT_TARGET, 'anthropic-tools')

/** Fits an input schema and the keys of its properties to the rules of Claude. */
export const fitClaudeInputSchema: SchemaFitter = (requested, location, context) => {
  const { schema, strict } = fitToObjectRoot(requested, location, context)
  const path = child(location.path, location.key)
  return { schema: encodeSchemaKeys(schema, claudePropertyKeyRule, path, context), strict }
}

/** Returns the hints for a received function that the encoder would change. */
export function createClaudeToolHints(tool: Tool, nameRule: ToolNameRule): Hints<ToolNameHint | SchemaHint> {
  if (tool.type !== 'function') return {}
  const requested = { schema: tool.input, strict: tool.strict }
  return {
    ...createToolNameHint(tool.name, nameRule),
    ...createSchemaHint(requested, fitClaudeInputSchema),
  }
}

/** Fits a schema whose root needs `type: 'object'`, which a strict root of alternatives cannot have. */
const fitToObjectRoot: SchemaFitter = (requested, location, context) => {
  const { schema, strict } = requested
  if (strict !== true || fitSchema(schema, STRICT_TARGET).schema['type'] === 'object')
    return fitStrictOrPlain(requested, location, context)
  context.report('not-strict-root', child(location.path, location.key))
  context.report('not-strict', child(location.path, 'strict'))
  return fitStrictOrPlain({ schema, strict: false }, location, context)
}

/** Creates a function that gives the calls of a response the names and keys that the request has. */
export function createClaudeCallRestorer(
  request: ChatRequest | undefined,
  slot: Slot<ToolNameHint | PropertyKeyHint>,
  nameRule: ToolNameRule,
): <T extends Part>(part: T) => T {
  const names = collectOriginalToolNames(request, nameRule)
  const keys = collectOriginalPropertyKeys(request, claudePropertyKeyRule)
  return (part) => restoreArgumentKeys(restoreToolName(part, names, slot), keys, slot)
}
