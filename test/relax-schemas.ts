type Tree = { readonly [key: string]: unknown }

/**
 * Fields that the types of an official client require and that its API does not send, by the name of the type: no recorded
 * text block has `citations` without citations.
 */
const optionalFields: { readonly [type: string]: readonly string[] } = {
  TextBlock: ['citations'],
  BetaTextBlock: ['citations'],
}

/** Returns a schema in which the fields that the API does not send are optional. */
export function relaxSchema<T extends Tree>(schema: T): T {
  const definitions = schema['definitions']
  if (typeof definitions !== 'object' || definitions === null) return schema
  const relaxed = Object.entries(definitions as Record<string, Tree>).map(([name, definition]) => {
    const { required } = definition
    const optional = Object.hasOwn(optionalFields, name) ? (optionalFields[name] ?? []) : []
    if (!Array.isArray(required) || optional.length === 0) return [name, definition]
    return [name, { ...definition, required: required.filter((key: string) => !optional.includes(key)) }]
  })
  return { ...schema, definitions: Object.fromEntries(relaxed) as Tree }
}
