import { wireText } from '../shared/wire-text.ts'
import { argumentsText, readArguments } from '../../canonical/build/arguments.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { SLOT } from './codes.ts'
import { inWords } from './media.ts'
import { encodeText } from './text.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a call of `tool_calls`; undefined when it is none that we can take apart. */
export function decodeCall(wire: Json, index: number, slot: string): ToolCallPart | undefined {
  if (!isObject(wire)) return undefined
  const { id, type, function: called, custom } = wire
  if (typeof id !== 'string' || id === '') return undefined
  const body = type === 'custom' ? custom : called
  if (!isObject(body) || typeof body['name'] !== 'string' || body['name'] === '') return undefined
  const given = type === 'custom' ? readInput(body['input']) : readText(body['arguments'])
  if (given === undefined) return undefined
  const hints = {
    ...(type === 'custom' && { kind: 'custom' }),
    ...(wire['index'] === index && { index: true }),
  }
  const call: ToolCallPart = { type: 'tool-call', id, name: body['name'], ...given }
  return keep(call, SLOT, slot, hints, wire, (part) => encodeCall(part, index, undefined, silent, slot))
}

function readText(text: Json | undefined): Partial<ToolCallPart> | undefined {
  return typeof text === 'string' ? readArguments(text) : undefined
}

function readInput(input: Json | undefined): Partial<ToolCallPart> | undefined {
  return typeof input === 'string' ? { arguments: { input } } : undefined
}

/** Writes a call, or undefined for one that a provider ran: it is described in the text. */
export function encodeCall(
  call: ToolCallPart,
  index: number,
  at: Path | undefined,
  encoding: Encoding,
  slot: string,
): JsonObject | undefined {
  const hints = hintsFor(call, SLOT)
  const position = hints['index'] === true && slot !== SLOT ? { index } : {}
  const input = call.arguments?.['input']
  const made =
    hints['kind'] === 'custom' && typeof input === 'string'
      ? { id: call.id, type: 'custom', custom: { name: call.name, input }, ...position }
      : {
          id: call.id,
          type: 'function',
          function: { name: call.name, arguments: argumentsText(call) },
          ...position,
        }
  if (call.signature !== undefined) encoding.lose('foreign-signature', below(at, 'signature'))
  return applyResidue(made, call, slot)
}

/** Reads a tool message as the result that it is. */
export function decodeResult(wire: Wire): ToolResultPart | undefined {
  const { tool_call_id: callId, content } = wire
  if (typeof callId !== 'string' || callId === '') return undefined
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : readTexts(content)
  if (parts === undefined) return undefined
  const hints = typeof content === 'string' ? (content === '' ? { keep: true } : {}) : { form: 'parts' }
  const result: ToolResultPart = {
    type: 'tool-result',
    callId,
    content: parts.map((part) => sealedCopy(part)),
  }
  return keep(result, SLOT, SLOT, hints, wire, (part) => encodeResult(part, undefined, silent))
}

function readTexts(
  content: Json | undefined,
): readonly { readonly type: 'text'; readonly text: string }[] | undefined {
  if (!Array.isArray(content)) return undefined
  const texts = (content as readonly Json[]).map((part) =>
    isObject(part) &&
    Object.keys(part).length === 2 &&
    part['type'] === 'text' &&
    typeof part['text'] === 'string'
      ? part['text']
      : undefined,
  )
  return texts.every((text) => text !== undefined) ? texts.map((text) => ({ type: 'text', text })) : undefined
}

/** Writes a result as a tool message of its own. */
export function encodeResult(result: ToolResultPart, at: Path | undefined, encoding: Encoding): JsonObject {
  const hints = hintsFor(result, SLOT)
  if (result.name !== undefined) encoding.lose('result-name', below(at, 'name'))
  const texts = result.content
    .map((part, index) => textOfResult(part, below(below(at, 'content'), index), encoding))
    .filter((text) => text !== '')
  const content =
    hints['form'] === 'parts' && texts.length > 0 && !result.isError
      ? texts.map((text) => ({ type: 'text', text }))
      : texts.join('\n')
  if (result.isError) encoding.lose('error-as-text', below(at, 'isError'))
  const said = result.isError ? JSON.stringify({ error: content }) : content
  return applyResidue({ role: 'tool', tool_call_id: result.callId, content: said }, result, SLOT)
}

function textOfResult(part: ToolResultPart['content'][number], at: Path, encoding: Encoding): string {
  switch (part.type) {
    case 'text':
      return encodeText(part, at, encoding)
    case 'json':
      encoding.lose('json-as-text', at)
      return JSON.stringify(part.value)
    case 'opaque':
      encoding.lose('foreign-opaque', at)
      return ''
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return wireText(inWords(part, at, encoding))
  }
}
