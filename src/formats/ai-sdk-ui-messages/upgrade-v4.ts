import {
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
  readStringOrEmpty,
} from '../../wire/json.ts'

/** States of tool calls in version 4, and their names since version 5. */
const STATES: ReadonlyMap<Json | undefined, string> = new Map([
  ['partial-call', 'input-streaming'],
  ['call', 'input-available'],
  ['result', 'output-available'],
])

/** The converters of the part types that only version 4 has. */
const PART_CONVERTERS: { readonly [type: string]: (part: JsonObject) => readonly JsonObject[] | undefined } =
  {
    'tool-invocation': ({ type: _type, toolInvocation, ...rest }) =>
      isObject(toolInvocation) ? [{ ...convertInvocation(toolInvocation), ...rest }] : undefined,
    reasoning: (part) => (typeof part['reasoning'] === 'string' ? convertReasoning(part) : undefined),
    source: ({ type: _type, source }) => (isObject(source) ? [convertSource(source)] : undefined),
    file: ({ data, mimeType, ...rest }) =>
      typeof data === 'string' && typeof mimeType === 'string'
        ? [{ ...rest, mediaType: mimeType, url: toUrl(data, mimeType) }]
        : undefined,
  }

/** The fields that repeat the parts of a message of version 4. */
const REPEATED_FIELDS: ReadonlySet<string> = new Set([
  'content',
  'reasoning',
  'toolInvocations',
  'experimental_attachments',
])

/** Returns a message of version 4 in the form of later versions, and any other message unchanged. */
export function upgradeMessage(message: JsonObject): JsonObject {
  const { parts, role, data, content, experimental_attachments: attachments } = message
  if (Array.isArray(parts) && !parts.some(isVersion4Part) && !Array.isArray(attachments)) return message
  const kept = Object.fromEntries(Object.entries(message).filter(([key]) => !REPEATED_FIELDS.has(key)))
  if (role === 'data') {
    const { data: _data, ...rest } = kept
    return { ...rest, role: 'assistant', parts: [{ type: 'data-custom', data: data ?? content ?? null }] }
  }
  const given = Array.isArray(parts) ? (parts as readonly Json[]) : listRepeatedFields(message)
  return {
    ...kept,
    parts: [...given.flatMap(convertPart), ...itemsOf(attachments).flatMap(convertAttachment)],
  }
}

function isVersion4Part(part: Json): boolean {
  return isObject(part) && convertPart(part)[0] !== part
}

function convertPart(part: Json): readonly Json[] {
  if (!isObject(part) || typeof part['type'] !== 'string') return [part]
  const convert = Object.hasOwn(PART_CONVERTERS, part['type']) ? PART_CONVERTERS[part['type']] : undefined
  return convert?.(part) ?? [part]
}

/** Returns the content of a message without parts as parts of version 4. */
function listRepeatedFields({ reasoning, toolInvocations, content }: JsonObject): readonly Json[] {
  return [
    ...(typeof reasoning === 'string' ? [{ type: 'reasoning', text: reasoning }] : []),
    ...itemsOf(toolInvocations).map((toolInvocation) => ({ type: 'tool-invocation', toolInvocation })),
    ...(typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : []),
  ]
}

function convertInvocation({ toolName, args, result, state, ...rest }: JsonObject): JsonObject {
  const isDone = state === 'result'
  return {
    ...rest,
    type: `tool-${readStringOrEmpty(toolName)}`,
    state: STATES.get(state) ?? 'input-available',
    ...omitUndefined({ input: args, output: isDone ? (result ?? null) : undefined }),
  }
}

/** The details of reasoning are its blocks: text with a signature, or redacted data. */
function convertReasoning({ reasoning, details, ...rest }: JsonObject): readonly JsonObject[] {
  const blocks = itemsOf(details).filter(isObject) as readonly JsonObject[]
  if (blocks.length === 0) return [{ ...rest, text: reasoning ?? '' }]
  return blocks.map((block) => {
    const { text = '', signature, data } = block
    if (block['type'] === 'redacted')
      return { ...rest, text: '', providerMetadata: { anthropic: { redactedData: data ?? '' } } }
    return {
      ...rest,
      text,
      ...(signature !== undefined && { providerMetadata: { anthropic: { signature } } }),
    }
  })
}

function convertSource({ id, sourceType: _type, ...rest }: JsonObject): JsonObject {
  return { ...rest, type: 'source-url', sourceId: id ?? '' }
}

function convertAttachment(attachment: Json): readonly Json[] {
  if (!isObject(attachment)) return [attachment]
  const { name, contentType, url, ...rest } = attachment
  const fields = { filename: name, mediaType: contentType ?? 'application/octet-stream', url }
  return [{ ...rest, type: 'file', ...omitUndefined(fields) }]
}

function toUrl(data: string, mimeType: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(data) ? data : `data:${mimeType};base64,${data}`
}
