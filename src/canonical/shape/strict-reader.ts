import { isBranded } from '../../wire/frozen-json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { Message } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import { messageShape } from './message.ts'
import { unionShape } from './object.ts'
import { partShapes } from './part.ts'
import { toolChoiceShape, toolShape } from './request.ts'
import type { ValueReader, ReadContext, Shape } from './shape.ts'

/** Any part in canonical form. */
export const partShape: Shape<Part> = unionShape<Part>('type', 'unknown-part-type', partShapes)

/** The context for reading only canonical values, which cannot have unknown keys. */
const STRICT_CONTEXT: ReadContext = {
  reader: {
    isStrict: true,
    part: reuseBranded('type', partShape.read),
    message: reuseBranded('role', messageShape.read),
    tool: toolShape.read,
    toolChoice: toolChoiceShape.read,
  },
  unknownKeys: {},
}

/** Returns a message in canonical form, checked and frozen; the same object if it already is. */
export function checkAndFreezeMessage<T extends Message>(message: T, path?: Path): T {
  return STRICT_CONTEXT.reader.message(message, path, STRICT_CONTEXT) as T
}

/** Returns a part in canonical form, checked and frozen; the same object if it already is. */
export function checkAndFreezePart<T extends Part>(part: T, path?: Path): T {
  return STRICT_CONTEXT.reader.part(part, path, STRICT_CONTEXT) as T
}

/** Reads a value of the shape strictly and returns a frozen copy. */
export function readCanonicalValue<T>(shape: Shape<T>, value: unknown, path?: Path): T {
  return shape.read(value, path, STRICT_CONTEXT)
}

/** Returns branded objects as they are: only parts have a canonical `type`, and only messages have a `role`. */
export function reuseBranded<T extends object>(tag: string, read: ValueReader<T>): ValueReader<T> {
  return (value, path, context) => {
    const ours = typeof value === 'object' && value !== null && isBranded(value) && Object.hasOwn(value, tag)
    return ours ? (value as T) : read(value, path, context)
  }
}
