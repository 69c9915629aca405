import type { LossRule } from '../../canonical/model/loss.ts'
import type { FunctionTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import type { ToolChoiceForm } from '../shared/rows.ts'
import { fitted, inputHint, type SchemaFit, writeSchema } from '../shared/schemas.ts'
import { noArguments } from '../shared/tool-schemas.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { SLOT } from './codes.ts'
import { settings } from './settings.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a tool; one that we do not model is kept as it is. */
export function decodeTool(wire: Json): Tool {
  const tool = isObject(wire) ? readFunction(wire) : undefined
  if (tool === undefined) return Object.freeze({ type: 'opaque', dialect: SLOT, value: wire })
  return keep(tool, SLOT, SLOT, inputHint(tool, inputs), wire as Wire, (each) =>
    encodeTool(each, undefined, silent),
  )
}

function readFunction({ type, function: body }: Wire): FunctionTool | undefined {
  if ((type !== undefined && type !== 'function') || !isObject(body)) return undefined
  const { name, description, parameters = noArguments } = body
  if (typeof name !== 'string' || name === '' || !isObject(parameters)) return undefined
  return {
    type: 'function',
    name,
    ...(typeof description === 'string' && { description }),
    input: parameters,
  }
}

/** Writes a tool; undefined where it cannot be sent. */
function encodeTool(tool: Tool, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, SLOT, at, encoding)
  if (tool.type === 'provider') {
    encoding.lose('foreign-tool', at)
    return undefined
  }
  const { name, description, input, strict, cache } = tool
  if (strict === true) encoding.lose('no-field', below(at, 'strict'))
  if (cache !== undefined) encoding.lose('cache-hint', below(at, 'cache'))
  const place = { at, key: 'input' } as const
  const { schema } = writeSchema({ schema: input }, inputs, hintsFor(tool, SLOT), place, encoding)
  const made = {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: schema,
    },
  }
  return applyResidue(made, tool, SLOT)
}

/** Arguments are an object, and the schema must say so. */
const inputs: SchemaFit = (asked, place, encoding) => {
  const { schema } = fitted(asked.schema, 'ollama-tools', place, encoding)
  if (schema['type'] === 'object') return { schema }
  encoding.lose('schema-root', below(place.at, place.key))
  return { schema: { ...schema, type: 'object' } }
}

/** Writes tools, without those that cannot be sent. */
export function encodeTools(
  tools: readonly Tool[],
  at: Path | undefined,
  encoding: Encoding,
  isAllowed: (tool: Tool) => boolean = () => true,
): readonly JsonObject[] {
  return tools
    .map((tool, index) => {
      if (isAllowed(tool)) return encodeTool(tool, below(at, index), encoding)
      encoding.lose('allowed-tools', below(at, index))
      return undefined
    })
    .filter((tool) => tool !== undefined)
}

/** Writes the tools that the choice allows: there is no other way to say one. */
export function encodeChosen(
  tools: readonly Tool[],
  choice: ToolChoice | undefined,
  encoding: Encoding,
): JsonObject {
  const wire = encodeTools(tools, below(undefined, 'tools'), encoding, allowedBy(choice))
  if (choice !== undefined) encoding.lose(choiceRule(tools, choice), below(undefined, 'toolChoice'))
  return wire.length === 0 ? {} : { tools: wire }
}

function allowedBy(choice: ToolChoice | undefined): (tool: Tool) => boolean {
  if (choice === 'none') return () => false
  if (typeof choice !== 'object' || !('allowed' in choice)) return () => true
  const allowed = new Set(choice.allowed)
  return (tool) => tool.type !== 'function' || allowed.has(tool.name)
}

/** How a choice is lost: the model may call any tool that it is given, and need not call one. */
function choiceRule(tools: readonly Tool[], choice: ToolChoice): LossRule {
  if (tools.length === 0) return 'choice-without-tools'
  const setting = settings.toolChoice[formOf(choice)]
  return setting.support === 'unsupported' ? setting.rule : 'allowed-tools'
}

/** Returns the form of a choice; `mode` for a list of which one tool must be called. */
function formOf(choice: ToolChoice): ToolChoiceForm {
  if (typeof choice === 'string') return choice
  if ('name' in choice) return 'name'
  return choice.mode === 'auto' ? 'allowed' : 'mode'
}
