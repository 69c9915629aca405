import type {
  MediaPart,
  MediaSource,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/model/part.ts'
import type { FunctionTool } from '../../canonical/model/tool.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { decodeArguments } from '../shared/tool-arguments.ts'
import { createFunctionTool } from '../shared/tool-list.ts'

/**
 * Returns the text part of a wire value; undefined if it is no text.
 *
 * @example
 * readText(block.words) // { type: 'text', text: 'Hi' }
 */
export function readText(text: Json | undefined): TextPart | undefined {
  return typeof text === 'string' ? { type: 'text', text } : undefined
}

/**
 * Returns the reasoning part of a wire value; undefined if it is no text.
 *
 * @example
 * readReasoning(block.thought)
 */
export function readReasoning(text: Json | undefined): ReasoningPart | undefined {
  return typeof text === 'string' ? { type: 'reasoning', text } : undefined
}

/**
 * Returns an image, audio, video or file part from its URL, or from its base64 data and media type; undefined if neither is
 * complete.
 *
 * @example
 * readMedia('image', { url: block.url, data: block.base64, mediaType: block.mime })
 */
export function readMedia<Type extends MediaPart['type']>(
  type: Type,
  { url, data, mediaType }: { readonly [key in 'url' | 'data' | 'mediaType']?: Json | undefined },
): Extract<MediaPart, { readonly type: Type }> | undefined {
  const source: MediaSource | undefined =
    typeof url === 'string'
      ? { kind: 'url', url }
      : typeof data === 'string' && typeof mediaType === 'string'
        ? { kind: 'base64', data, mediaType }
        : undefined
  // A part of any media type has the same fields.
  return source && ({ type, source } as Extract<MediaPart, { readonly type: Type }>)
}

/**
 * Returns the tool call of wire values; undefined if the id or the name is no text. The arguments are an object or JSON text;
 * text that is not a JSON object is kept as `invalidArguments`.
 *
 * @example
 * readToolCall(block.id, block.tool, block.with)
 */
export function readToolCall(
  id: Json | undefined,
  name: Json | undefined,
  wireArguments: Json | undefined,
): ToolCallPart | undefined {
  const callArguments = decodeArguments(wireArguments)
  const isCall = typeof id === 'string' && typeof name === 'string' && id !== '' && name !== ''
  return isCall && callArguments ? { type: 'tool-call', id, name, ...callArguments } : undefined
}

/**
 * Returns the tool result of wire values; undefined if the id of the call is no text. Text becomes text, an object or a list
 * becomes JSON.
 *
 * @example
 * readToolResult(block.id, block.gave, block.failed)
 */
export function readToolResult(
  callId: Json | undefined,
  output: Json | undefined,
  isError?: Json,
): ToolResultPart | undefined {
  if (typeof callId !== 'string' || callId === '') return undefined
  const isData = isObject(output) || Array.isArray(output)
  if (typeof output !== 'string' && !isData) return undefined
  return {
    type: 'tool-result',
    callId,
    content: [isData ? { type: 'json', value: output } : { type: 'text', text: output }],
    ...(isError === true && { isError }),
  }
}

/**
 * Returns the tool of wire values; undefined if the name is no text or the schema of the input is no object.
 *
 * @example
 * readTool(wire.tool, wire.about, wire.takes)
 */
export function readTool(
  name: Json | undefined,
  description: Json | undefined,
  input: Json | undefined,
): FunctionTool | undefined {
  return typeof name === 'string' && name !== '' && isObject(input)
    ? createFunctionTool(name, description, input)
    : undefined
}
