import { wireText } from '../shared/wire-text.ts'
import { readArguments, argumentsText } from '../../canonical/build/arguments.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { AssistantPart, ReasoningPart, ToolCallPart } from '../../canonical/model/part.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { describeProviderCall, describeProviderResult } from '../shared/describe.ts'
import { hintsFor } from '../unit.ts'
import { decodeCall, encodeCall } from './calls.ts'
import { RESPONSE, SLOT } from './codes.ts'
import { decodeParts, encodeParts, onlyText } from './parts.ts'
import { decodeReasoning, encodeReasoning, fieldOf, repeatedFields } from './reasoning.ts'

type Wire = { readonly [key: string]: Json }

/** What an answer says, and the forms to remember. */
export interface Said {
  readonly content: readonly AssistantPart[]
  readonly hints: Hints
}

/** Reads what an assistant message says; what it cannot take apart stays residue. `callId` makes ids where none came. */
export function decodeSaid(wire: Wire, slot: string, callId: (name: string, text: string) => string): Said {
  const { content, refusal, tool_calls: calls, function_call: legacy } = wire
  const thoughts = decodeReasoning(wire)
  const repeated = repeatedFields(wire, thoughts)
  const parts =
    typeof content === 'string'
      ? decodeParts([{ type: 'text', text: content }], 'assistant')
      : Array.isArray(content)
        ? decodeParts(content, 'assistant')
        : []
  const spoken = (parts ?? []).filter(
    (part) => !(typeof content === 'string' && part.type === 'text' && part.text === ''),
  )
  const called = Array.isArray(calls)
    ? (calls as readonly Json[]).map((call, index) => decodeCall(call, index, slot))
    : []
  const known = called.every((call) => call !== undefined) ? called : []
  const old = known.length === 0 ? readLegacy(legacy, callId) : undefined
  return {
    content: [
      ...thoughts,
      ...(spoken as readonly AssistantPart[]),
      ...(typeof refusal === 'string' && refusal !== ''
        ? [sealedCopy({ type: 'refusal' as const, text: refusal })]
        : []),
      ...known,
      ...(old === undefined ? [] : [old]),
    ],
    hints: {
      ...(Array.isArray(content) && { form: 'parts' }),
      ...(repeated.length > 0 && { repeated }),
    },
  }
}

function readLegacy(
  wire: Json | undefined,
  callId: (name: string, text: string) => string,
): ToolCallPart | undefined {
  if (
    !isObject(wire) ||
    typeof wire['name'] !== 'string' ||
    wire['name'] === '' ||
    typeof wire['arguments'] !== 'string'
  )
    return undefined
  const { name, arguments: text } = wire as { readonly name: string; readonly arguments: string }
  const extra = { [SLOT]: { $: { hints: { kind: 'function_call' } } } }
  return sealedCopy<ToolCallPart>({
    type: 'tool-call',
    id: callId(name, text),
    name,
    ...readArguments(text),
    extra,
  })
}

/** Writes what an answer says. In a response every field stands, and the text is one string. */
export function encodeSaid(
  message: AssistantMessage,
  at: Path | undefined,
  encoding: Encoding,
  slot: string,
): JsonObject {
  const hints = hintsFor(message, SLOT)
  const place = below(at, 'content')
  reportOrder(message.content, at, encoding)
  const thoughts: ReasoningPart[] = []
  const calls: JsonObject[] = []
  const spoken: { readonly part: AssistantPart; readonly at: Path }[] = []
  let refusal: string | undefined
  let legacy: JsonObject | undefined
  for (const [index, part] of message.content.entries()) {
    const here = below(place, index)
    if (part.type === 'reasoning') {
      const shown = encodeThought(part, here, encoding)
      if (shown === 'kept') thoughts.push(part)
      else if (shown !== undefined) spoken.push({ part: shown, at: here })
    } else if (part.type === 'refusal' && hintsFor(part, SLOT)['part'] !== true)
      refusal = `${refusal ?? ''}${part.text}`
    else if (part.type === 'tool-call' && part.executedBy !== 'provider') {
      if (hintsFor(part, SLOT)['kind'] === 'function_call')
        legacy = { name: part.name, arguments: argumentsText(part) }
      else calls.push(encodeCall(part, calls.length, here, encoding, slot) ?? {})
    } else spoken.push({ part: inWords(part, here, encoding), at: here })
  }
  const parts = encodeParts(spoken, encoding, 'assistant')
  const text = slot === RESPONSE && parts.every(onlyText) ? joined(parts, place, encoding) : undefined
  const plain =
    parts.length === 1 && onlyText(parts[0]) && hints['form'] !== 'parts' ? wireText(parts[0]) : undefined
  const content = text ?? plain ?? (parts.length > 0 ? parts : hints['form'] === 'parts' ? [] : undefined)
  return {
    role: 'assistant',
    content: content ?? null,
    ...(slot === RESPONSE
      ? { refusal: refusal ?? null, annotations: [] }
      : refusal !== undefined && { refusal }),
    ...encodeReasoning(thoughts, hints['repeated']),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(legacy !== undefined && { function_call: legacy }),
  }
}

function encodeThought(
  part: ReasoningPart,
  at: Path,
  encoding: Encoding,
): 'kept' | AssistantPart | undefined {
  if (fieldOf(part) !== undefined) return 'kept'
  if (encoding.options.foreignReasoning === 'text' && part.text !== '') {
    encoding.lose('reasoning-as-text', at)
    return { type: 'text', text: `<thinking>\n${part.text}\n</thinking>` }
  }
  encoding.lose('foreign-reasoning', at)
  return undefined
}

function inWords(part: AssistantPart, at: Path, encoding: Encoding): AssistantPart {
  if (part.type !== 'tool-call' && part.type !== 'tool-result') return part
  encoding.lose('foreign-provider-call', at)
  return {
    type: 'text',
    text: part.type === 'tool-call' ? describeProviderCall(part) : describeProviderResult(part),
  }
}

function joined(parts: readonly JsonObject[], at: Path, encoding: Encoding): string | undefined {
  if (parts.length > 1) encoding.lose('texts-joined', at)
  return parts.length === 0 ? undefined : parts.map(wireText).join('')
}

/** This format has no order between thoughts, text and calls. */
function reportOrder(parts: readonly AssistantPart[], at: Path | undefined, encoding: Encoding): void {
  const rank = (part: AssistantPart): number =>
    part.type === 'reasoning' ? 0 : part.type === 'tool-call' && part.executedBy === undefined ? 2 : 1
  const moved = parts.findIndex((part, index) => index > 0 && rank(part) < rank(parts[index - 1] ?? part))
  if (moved !== -1) encoding.lose('order-lost', below(below(at, 'content'), moved))
}
