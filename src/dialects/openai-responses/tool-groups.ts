// Tools come in groups: `namespace` entries of a list of tools, and `additional_tools` items of the conversation.
import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import { CachedMessageFold } from '../../canonical/collections/cached-message-fold.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Tool, ToolNamespace } from '../../canonical/model/tool.ts'
import { isList, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { addHints, applyResidue, attachResidue, getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import { decodeNamespacedTool, decodeTool, encodeTools, NAMESPACE_KEY } from './tools.ts'

/** Decodes a list of tools. The tools of a namespace become tools of the list, with names that start with the namespace. */
export function decodeTools(wire: readonly Json[]): readonly Tool[] {
  return wire.flatMap((entry) => decodeNamespace(entry) ?? [decodeTool(entry)])
}

/** Decodes the tools of a namespace; undefined if the entry is something else, or if one of its tools is unknown. */
function decodeNamespace(wire: Json): readonly Tool[] | undefined {
  if (!isObject(wire) || wire['type'] !== 'namespace') return undefined
  const { name, description, tools, ...others } = wire
  if (typeof name !== 'string' || name === '' || !isList(tools) || tools.length === 0) return undefined
  const namespace: ToolNamespace = {
    name,
    ...(typeof description === 'string' && description !== '' && { description }),
  }
  const entry = { ...others, name, ...(description !== undefined && { description }) }
  const decoded = tools.map((tool, index) =>
    isObject(tool) && !Object.hasOwn(tool, NAMESPACE_KEY)
      ? decodeNamespacedTool(tool, namespace, index === 0 ? entry : undefined)
      : undefined,
  )
  return decoded.every((tool) => tool !== undefined) ? decoded : undefined
}

const ITEM_TYPE = 'additional_tools'

/** An item that declares tools in the conversation. */
type AdditionalToolsItem = JsonObject & { readonly tools: readonly Json[] }

/** Returns true for an item that declares tools, as Codex sends them. */
export function isAdditionalToolsItem(item: Json): item is AdditionalToolsItem {
  return isObject(item) && item['type'] === ITEM_TYPE && isList(item['tools'])
}

/** Decodes the tools of all `additional_tools` items; each has a hint with the number of its item. */
export function decodeAdditionalTools(input: Json | undefined): readonly Tool[] {
  return itemsOf(input)
    .filter(isAdditionalToolsItem)
    .flatMap((item, list) =>
      decodeTools(item.tools).map((tool) =>
        freezeOwned(addHints(tool, DIALECT_SLOT, { additionalTools: list })),
      ),
    )
}

/** Decodes an item as an empty message that keeps its position; the tools are those of the request. */
export function decodeAdditionalToolsMessage(
  item: AdditionalToolsItem,
  list: number,
  options: DecodeOptions,
): Message {
  const message: Message = { id: generateId('msg', options), role: 'developer', content: [] }
  return attachResidue(message, DIALECT_SLOT, { additionalTools: list }, item, () =>
    createAdditionalToolsItem(item.tools),
  )
}

function createAdditionalToolsItem(tools: readonly Json[]): JsonObject {
  return { type: ITEM_TYPE, role: 'developer', tools }
}

/** Returns the number of the `additional_tools` item that a message or tool belongs to. */
function getListNumber(unit: Message | Tool): Json | undefined {
  return getHints(unit, DIALECT_SLOT)['additionalTools']
}

/** Returns the number of the item that a message stands for; undefined for any other message, also an edited one. */
export function getToolListNumber(message: Message): number | undefined {
  const list = getListNumber(message)
  return typeof list === 'number' && message.content.length === 0 ? list : undefined
}

/** Encodes the tools of the request that belong to the item of a message. */
export function encodeAdditionalTools(
  message: Message,
  tools: readonly Tool[],
  path: Path,
  context: EncodeContext,
): JsonObject {
  const list = getListNumber(message)
  const encoded = encodeTools(tools, path, context, (tool) => getListNumber(tool) === list)
  return applyResidue(createAdditionalToolsItem(encoded), message, DIALECT_SLOT)
}

/** Returns the tools that items of the conversation can declare. */
export function getAdditionalTools(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter((tool) => getListNumber(tool) !== undefined)
}

const toolListNumbers = new CachedMessageFold(
  () => new Set<Json>(),
  (lists, message) => {
    const list = getToolListNumber(message)
    return list === undefined ? lists : lists.add(list)
  },
)

/** Returns a function that tells whether an item of the conversation declares a tool. */
export function createItemDeclarationCheck(messages: ChatRequest['messages']): (tool: Tool) => boolean {
  const lists = toolListNumbers.fold(messages)
  return (tool) => {
    const list = getListNumber(tool)
    return list !== undefined && lists.has(list)
  }
}
