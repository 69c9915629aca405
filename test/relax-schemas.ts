type Tree = { readonly [key: string]: unknown }

/**
 * Fields that the types of an official client require and that its API does not send, by the name of the type: no recorded
 * text block has `citations` without citations.
 */
const optionalFields: { readonly [type: string]: readonly string[] } = {
  TextBlock: ['citations'],
  BetaTextBlock: ['citations'],
}

/** Fields that clients of a format read although the types of its vendor lack them: reasoning in chat completions. */
const additionalFields: { readonly [type: string]: Tree } = {
  ChatCompletionMessage: { reasoning_content: { type: 'string' } },
  'ChatCompletionChunk.Choice.Delta': { reasoning_content: { type: 'string' } },
}

/** Returns a schema without the fields that the API does not send, and with those that clients read. */
export function relaxSchema<T extends Tree>(schema: T): T {
  const definitions = schema['definitions']
  if (typeof definitions !== 'object' || definitions === null) return schema
  const relaxed = Object.entries(definitions as Record<string, Tree>).map(([name, definition]) => {
    const { required = [], properties = {} } = definition
    const optional = Object.hasOwn(optionalFields, name) ? (optionalFields[name] ?? []) : []
    const additional = Object.hasOwn(additionalFields, name) ? additionalFields[name] : undefined
    if (optional.length === 0 && additional === undefined) return [name, definition]
    return [
      name,
      {
        ...definition,
        required: (required as readonly string[]).filter((key) => !optional.includes(key)),
        properties: { ...(properties as Tree), ...additional },
      },
    ]
  })
  return { ...schema, definitions: Object.fromEntries(relaxed) as Tree }
}
