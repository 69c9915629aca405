import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { PlacedConversation } from '../engine/conversation-codec.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { writeFunctionTools } from '../engine/function-tools.ts'
import { HUGGINGFACE_SLOT } from './constants.ts'
import type { ImageCollector } from './media.ts'
import { writeMessages } from './messages.ts'
import { ROW_LAYOUTS } from './row-layout.ts'

/** Writes a row: `messages` and `tools`, or the columns that it was read from. */
export function writeRow({ request, messages }: PlacedConversation, report: FormatReporter): JsonObject {
  const collector: ImageCollector = { images: [] }
  const written = writeMessages(messages, report, collector)
  const { layout, answer, rejected, texts, tools: form, image } = getHints(request, HUGGINGFACE_SLOT)
  const { columns } = ROW_LAYOUTS.find(({ name }) => name === layout) ?? { columns: ['messages'] }
  const split = columns.length > 1 && typeof answer === 'number' ? Math.max(0, written.length - answer) : 0
  const lists = columns.length > 1 ? [written.slice(0, split), written.slice(split)] : [written]
  const isText = texts === true && lists.every((list) => getOnlyText(list) !== undefined)
  const tools = writeFunctionTools(request.tools ?? [], report).map((tool) => ({
    type: 'function',
    function: tool,
  }))
  const { images } = collector
  const record = {
    ...Object.fromEntries(
      columns.map((column, index): [string, Json] => {
        const list = lists[index] ?? []
        return [column, isText ? (getOnlyText(list) ?? '') : list]
      }),
    ),
    ...(rejected !== undefined && { rejected }),
    ...(tools.length > 0 && { tools: form === 'text' ? JSON.stringify(tools) : tools }),
    ...(images.length > 0 &&
      (image === true && images.length === 1 ? { image: images[0] ?? null } : { images })),
  }
  return applyResidue(record, request, HUGGINGFACE_SLOT)
}

/** Returns the text of a list with one message that has only a text; undefined for any other list. */
function getOnlyText(list: readonly JsonObject[]): string | undefined {
  const { role: _role, content, ...rest } = list[0] ?? {}
  return list.length === 1 && typeof content === 'string' && Object.keys(rest).length === 0
    ? content
    : undefined
}
