import type { MediaPart, Part } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { addHints, getHints, type Slot } from '../../dialects/engine/residue-slots.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { type OpenaiPartFormat, readOpenaiPart, writeOpenaiPart } from '../openai-shared/parts.ts'
import { HUGGINGFACE_SLOT, NAME } from './constants.ts'
import { type ImageCollector, type ImageColumn, readMediaBlock, writeMediaBlock } from './media.ts'

/** The content blocks that have the form of Chat Completions. */
const BLOCK_FORMAT: OpenaiPartFormat = {
  name: NAME,
  slot: HUGGINGFACE_SLOT as Slot<string>,
  hasFiles: true,
}

/** The hint of media that was read from a block of Chat Completions, such as `image_url`. */
const CHAT_BLOCK = 'chat'

const isMedia = (part: Part): part is MediaPart => 'source' in part && part.type !== 'file'

/** Reads content: a text, or a list of blocks. Texts of a list may be items of their own. */
export function readContent(content: Json | undefined, path: Path, images: ImageColumn): readonly Part[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [checkAndFreezePart({ type: 'text', text: content }, path)]
  if (!Array.isArray(content)) return throwWrongType(content, path, 'content: a text or a list')
  return itemsOf(content).map((block, index) => {
    const at = child(path, index)
    const media = isObject(block) ? readMediaBlock(block, at, images) : undefined
    if (media !== undefined) return media
    const part = readOpenaiPart(block, at, BLOCK_FORMAT)
    return isMedia(part) ? freezeOwned(addHints(part, HUGGINGFACE_SLOT, { key: CHAT_BLOCK })) : part
  })
}

/** Writes content parts as blocks. Reasoning, calls and results have fields and messages of their own. */
export function writeBlocks(
  parts: readonly Part[],
  path: Path | undefined,
  report: FormatReporter,
  collector: ImageCollector,
): readonly JsonObject[] {
  return parts.flatMap((part, index): readonly JsonObject[] => {
    const block = writeBlock(part, child(path, index), report, collector)
    return block === undefined ? [] : [block]
  })
}

function writeBlock(
  part: Part,
  path: Path,
  report: FormatReporter,
  collector: ImageCollector,
): JsonObject | undefined {
  if (part.type === 'json') {
    report.add('json-as-text', path)
    return { type: 'text', text: JSON.stringify(part.value) }
  }
  if (part.type === 'reasoning') return undefined
  const isChatBlock = getHints(part, HUGGINGFACE_SLOT).key === CHAT_BLOCK
  return isMedia(part) && !isChatBlock
    ? writeMediaBlock(part, path, report, collector)
    : writeOpenaiPart(part, path, report, BLOCK_FORMAT)
}

/** Returns blocks as content: one plain text is a text, and any other content is a list. */
export function blocksToContent(blocks: readonly JsonObject[], isList: boolean): Json {
  const [only] = blocks
  if (only === undefined) return isList ? [] : ''
  const isPlain = blocks.length === 1 && only['type'] === 'text' && Object.keys(only).length === 2
  return isPlain && !isList ? (only['text'] ?? '') : blocks
}
