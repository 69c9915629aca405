import { fromBase64, toBase64 } from '../../../wire/base64.ts'
import { isObject } from '../../../wire/json.ts'

/**
 * How a client reads a value of a body. `data` is passed unchanged: texts, numbers, and all values whose keys the
 * application chooses, like JSON Schemas. `bytes` are base64 on the wire, and bytes in the client.
 */
export type SdkFieldShape = 'data' | 'bytes' | ObjectShape | VariantShape

/** An object, or a list of objects, with the fields that the client knows. */
interface ObjectShape {
  readonly fields: ReadonlyMap<string, SdkFieldShape>
}

/** An object, or a list of objects, whose fields depend on the value of one of them. */
interface VariantShape {
  readonly key: string
  readonly variants: ReadonlyMap<string, SdkFieldShape>
}

/** How an official client reads a request body. */
export interface SdkKnownFields {
  readonly request: SdkFieldShape
  /** Returns the client's name of a wire field that it knows. */
  readonly rename: (name: string) => string
  /** True if the client sends fields that it does not know, unchanged. */
  readonly sendsUnknown: boolean
}

/** The arguments of a client for a body, and the places of the values that the client does not know. */
export interface SdkInput {
  readonly input: { readonly [key: string]: unknown }
  readonly unknown: readonly string[]
}

/** Base64 that is written as bytes. */
class Base64 {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Returns the shape of an object: the names of its plain fields, and its other fields. */
export function sdkObject(
  names: string,
  nested: { readonly [name: string]: SdkFieldShape } = {},
): SdkFieldShape {
  const plain = names === '' ? [] : names.split(' ')
  return { fields: new Map([...plain.map((name) => [name, 'data'] as const), ...Object.entries(nested)]) }
}

/** Returns the shape of an object whose field `key` determines its other fields. */
export function sdkVariant(
  key: string,
  variants: { readonly [value: string]: SdkFieldShape },
): SdkFieldShape {
  return { key, variants: new Map(Object.entries(variants)) }
}

/** Returns a name with capitals in place of underscores. */
export function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

/** Converts a body to the arguments of a client. Values that the client does not know are left unchanged. */
export function toSdkInput(body: unknown, { request, rename, sendsUnknown }: SdkKnownFields): SdkInput {
  const unknown: string[] = []

  function convert(value: unknown, shape: SdkFieldShape, path: string): unknown {
    if (shape === 'data') return value
    if (shape === 'bytes') {
      if (typeof value === 'string' && isCanonicalBase64(value)) return new Base64(value)
      unknown.push(path)
      return value
    }
    if (Array.isArray(value)) return value.map((each, index) => convert(each, shape, `${path}[${index}]`))
    if (!isObject(value)) return value
    if ('fields' in shape) return convertFields(value, shape, path)
    const variant = shape.variants.get(String(value[shape.key]))
    if (variant !== undefined) return convert(value, variant, path)
    if (!sendsUnknown) unknown.push(path)
    return value
  }

  function convertFields(
    value: { readonly [key: string]: unknown },
    { fields }: ObjectShape,
    path: string,
  ): unknown {
    const entries = Object.entries(value).map(([name, each]) => {
      const place = path === '' ? name : `${path}.${name}`
      const shape = fields.get(name)
      if (shape !== undefined) return [rename(name), convert(each, shape, place)]
      if (!sendsUnknown) unknown.push(place)
      return [name, each]
    })
    return Object.fromEntries(entries)
  }

  const input = convert(body, request, '')
  return { input: isObject(input) ? input : {}, unknown }
}

/** Returns true for base64 that a client writes again after it has read the bytes. */
function isCanonicalBase64(text: string): boolean {
  const bytes = fromBase64(text)
  return bytes !== undefined && toBase64(bytes) === text
}

/** Writes a value as JavaScript: JSON, with `Buffer.from` for bytes. */
export function writeLiteral(value: unknown, indent = ''): string {
  if (value instanceof Base64) return `${writeMember('Buffer', 'from')}('${value.text}', 'base64')`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const isArray = Array.isArray(value)
  const items = isArray
    ? value.map((each) => writeLiteral(each, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([key, each]) => `${writeKey(key)}: ${writeLiteral(each, inner)}`)
  const [open, close] = isArray ? '[]' : '{}'
  if (items.length === 0) return `${open}${close}`
  return `${open}\n${items.map((item) => `${inner}${item}`).join(',\n')}\n${indent}${close}`
}

/** Writes a member of a global object of Node, which the page itself cannot use. */
export function writeMember(...names: readonly string[]): string {
  return names.join('.')
}

/** Writes the key of an object. In JavaScript, unlike in JSON, `"__proto__": …` sets the prototype. */
function writeKey(key: string): string {
  return key === '__proto__' ? '["__proto__"]' : JSON.stringify(key)
}
