import { attachSignature } from '../build/parts.ts'
import type { Part } from '../model/part.ts'
import { partShapes } from '../shape/part.ts'
import { type ReadContext, stringShape } from '../shape/shape.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { createFieldPicker } from './field-picker.ts'

/** The vendor whose blocks have these types: it recognizes its signature. */
const VENDOR = 'anthropic'

/** The types of reasoning blocks, and the names of their text and their token. */
const THINKING_FIELDS: ReadonlyMap<unknown, { readonly text?: string; readonly token: string }> = new Map([
  ['thinking', { text: 'thinking', token: 'signature' }],
  ['redacted_thinking', { token: 'data' }],
])

/** Reads a reasoning block of Anthropic with its signature; undefined for any other part. */
export function readThinking(
  value: { readonly [key: string]: unknown },
  path: Path | undefined,
  context: ReadContext,
): Part | undefined {
  const fields = THINKING_FIELDS.get(value['type'])
  // A canonical signature is an object, and the text of other formats is called `text`.
  if (fields === undefined || typeof value[fields.text ?? fields.token] !== 'string') return undefined
  const pick = createFieldPicker(value, path)
  pick.take('type')
  const text = fields.text === undefined ? '' : pick.take(fields.text)?.value
  const token = pick.take(fields.token)
  const isRedacted = fields.text === undefined
  const part = { ...pick.remaining(), type: 'reasoning', text, ...(isRedacted && { redacted: true }) }
  const read = partShapes.reasoning.read(part, path, context)
  if (token === undefined || token.value === '') return read
  return attachSignature(read, { vendor: VENDOR, value: stringShape.read(token.value, token.path, context) })
}
