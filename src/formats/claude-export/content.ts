import type { Part, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { isObject, itemsOf, type Json, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { readObjectArguments } from '../engine/object-arguments.ts'
import { readOptionalList, requireObject, requireText } from '../engine/require-fields.ts'
import { NAME } from './constants.ts'

/** Reads the blocks of one message. Exports may omit the ids of calls: a result belongs to the last call before it. */
export class BlockReader {
  readonly #messageId: string
  #callCount = 0
  #lastCall: ToolCallPart | undefined

  constructor(messageId: string) {
    this.#messageId = messageId
  }

  read(given: Json, path: Path): readonly Part[] {
    const block = requireObject(given, path, 'a block')
    switch (readStringOrEmpty(block['type'])) {
      case 'text':
      case 'voice_note':
        return readText(requireText(block, 'text', path), path)
      case 'thinking': {
        const text = requireText(block, 'thinking', path)
        return text === '' ? [] : [checkAndFreezePart({ type: 'reasoning', text }, path)]
      }
      case 'tool_use':
        return [this.#readCall(block, path)]
      case 'tool_result':
        return [this.#readResult(block, path)]
    }
    return [keepPart(NAME, block, path)]
  }

  #readCall(block: JsonObject, path: Path): ToolCallPart {
    const id = readStringOrEmpty(block['id'])
    const call = {
      type: 'tool-call',
      id: id === '' ? `${this.#messageId}_call_${(this.#callCount += 1)}` : id,
      name: requireText(block, 'name', path),
      ...readObjectArguments(block['input']),
      executedBy: 'provider',
    } as const
    this.#lastCall = checkAndFreezePart<ToolCallPart>(call, path)
    return this.#lastCall
  }

  #readResult(block: JsonObject, path: Path): ToolResultPart {
    const given = readStringOrEmpty(block['tool_use_id'])
    const callId = given === '' ? (this.#lastCall?.id ?? `${this.#messageId}_call_0`) : given
    const name = readStringOrEmpty(block['name'])
    const { content } = block
    const at = child(path, 'content')
    const parts =
      typeof content === 'string'
        ? readText(content, at)
        : itemsOf(content).map((item, index) => readResultItem(item, child(at, index)))
    const result = {
      type: 'tool-result',
      callId,
      ...(name !== '' && { name }),
      content: parts,
      ...(block['is_error'] === true && { isError: true }),
    }
    return checkAndFreezePart<ToolResultPart>(result as unknown as ToolResultPart, path)
  }
}

function readResultItem(item: Json, path: Path): Part {
  const text = isObject(item) && item['type'] === 'text' ? item['text'] : undefined
  return typeof text === 'string'
    ? checkAndFreezePart({ type: 'text', text }, path)
    : keepPart(NAME, item, path)
}

/** Reads a text; an empty one is no part. */
export function readText(text: string, path: Path): readonly Part[] {
  return text === '' ? [] : [checkAndFreezePart({ type: 'text', text }, path)]
}

/** Reads attachments, whose text is in the export, and files, of which only the id and the name are. */
export function readAttachedFiles(message: JsonObject, path: Path, context: ReadingContext): readonly Part[] {
  const attachments = readOptionalList(message, 'attachments', path).map((given, index) => {
    const at = child(child(path, 'attachments'), index)
    const file = requireObject(given, at, 'an attachment')
    const text = readStringOrEmpty(file['extracted_content'])
    return readFile(file, text === '' ? undefined : { kind: 'text', text }, at, context)
  })
  const files = [...readOptionalList(message, 'files', path), ...readOptionalList(message, 'files_v2', path)]
  const stored = files.map((given, index) => {
    const at = child(child(path, 'files'), index)
    const file = requireObject(given, at, 'a file')
    const id = readStringOrEmpty(file['file_uuid'])
    return readFile(file, id === '' ? undefined : { kind: 'id', id, provider: 'anthropic' }, at, context)
  })
  return [...attachments, ...stored].flat()
}

function readFile(
  file: JsonObject,
  source: object | undefined,
  path: Path,
  context: ReadingContext,
): readonly Part[] {
  const name = readStringOrEmpty(file['file_name'])
  if (source === undefined) {
    context.report('dropped-media', path)
    return []
  }
  const type = file['file_kind'] === 'image' ? 'image' : 'file'
  const part = { type, source, ...(name !== '' && { name }) }
  return [checkAndFreezePart(part as unknown as Part, path)]
}
