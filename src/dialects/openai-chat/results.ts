import type { ToolResultPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { idHint, writeId } from '../shared/ids.ts'
import { wireText } from '../shared/wire-text.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { reportBare } from '../shared/bare.ts'
import { idRule, SLOT } from './codes.ts'
import { flavorOf } from './flavors.ts'
import { inWords } from './media.ts'
import { encodeText } from './text.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a tool message as the result that it is; `callOf` finds the call of a function that answers by name. */
export function decodeResult(
  wire: Wire,
  callOf: (name: string) => string | undefined,
): ToolResultPart | undefined {
  const { role, tool_call_id: id, name, content } = wire
  const legacy = role === 'function' && typeof name === 'string'
  const callId = role === 'tool' ? id : legacy ? callOf(name) : undefined
  if (typeof callId !== 'string' || callId === '') return undefined
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : readTexts(content)
  if (parts === undefined) return undefined
  const hints = {
    ...idHint(callId, idRule),
    ...(legacy && { wireType: 'function' }),
    ...(typeof content !== 'string' && { contentForm: 'parts' }),
  }
  const result: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(legacy && { name }),
    content: parts.map((part) => sealOwn(part)),
  }
  return keep(result, SLOT, SLOT, hints, wire, (part) => encodeResult(part, undefined, silent))
}

function readTexts(
  content: Json | undefined,
): readonly { readonly type: 'text'; readonly text: string }[] | undefined {
  if (!isList(content)) return undefined
  const texts = content.map((part) =>
    isObject(part) && Object.keys(part).length === 2 && part['type'] === 'text' ? part['text'] : undefined,
  )
  return texts.every((text) => typeof text === 'string')
    ? texts.map((text) => ({ type: 'text', text }))
    : undefined
}

/** Writes a result as a message of its own. */
export function encodeResult(result: ToolResultPart, at: Path | undefined, encoding: Encoding): JsonObject {
  const hints = hintsFor(result, SLOT)
  const { name, isError } = result
  const { plain, ids } = flavorOf(encoding.options)
  const legacy = hints['wireType'] === 'function' && name !== undefined
  if (name !== undefined && !legacy) encoding.lose('result-name', below(at, 'name'))
  reportBare(result, at, encoding)
  const texts = textsOf(result, below(at, 'content'), encoding)
  const listed = hints['contentForm'] === 'parts' && !isError && plain === undefined
  const content = listed ? texts.map((text) => ({ type: 'text', text })) : joined(texts, at, encoding)
  if (isError) encoding.lose('error-as-text', at)
  const said = isError ? JSON.stringify({ error: content }) : content
  if (legacy) return applyResidue({ role: 'function', name, content: said }, result, SLOT)
  const id = writeId(result.callId, ids ? {} : hints, ids ?? idRule, below(at, 'callId'), encoding)
  return applyResidue({ role: 'tool', tool_call_id: id, content: said }, result, SLOT)
}

function joined(texts: readonly string[], at: Path | undefined, encoding: Encoding): string {
  if (texts.length > 1) encoding.lose('texts-joined', below(at, 'content'))
  return texts.join('\n')
}

function textsOf({ content }: ToolResultPart, at: Path, encoding: Encoding): readonly string[] {
  return content
    .map((part, index) => textOfResult(part, below(at, index), encoding))
    .filter((text) => text !== undefined)
}

function textOfResult(
  part: ToolResultPart['content'][number],
  at: Path,
  encoding: Encoding,
): string | undefined {
  reportBare(part, at, encoding)
  switch (part.type) {
    case 'text':
      // Results may be empty, so their texts may be, too.
      return part.text === '' ? '' : wireText(encodeText(part, at, encoding, 'tool'))
    case 'json':
      encoding.lose('json-as-text', at)
      return JSON.stringify(part.value)
    case 'opaque':
      encoding.lose('foreign-opaque', at)
      return undefined
    case 'image':
    case 'audio':
    case 'video':
    case 'file': {
      const words = inWords(part, at, encoding)
      return words && wireText(words)
    }
  }
}
