import { isSealed } from '../../wire/frozen.ts'
import type { Path } from '../../wire/pointer.ts'
import type { Message } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import { messageShape } from './message.ts'
import { tagged } from './object.ts'
import { partShapes } from './part.ts'
import { toolChoiceShape, toolShape } from './request.ts'
import type { Read, Reading, Shape } from './shape.ts'

/** Any part in canonical form. */
export const partShape: Shape<Part> = tagged<Part>('type', partShapes, 'unknown-part-type')

/** Reads canonical values and nothing else; what is frozen and checked already is not read again. */
const strictly: Reading = {
  strict: true,
  part: known('type', partShape.read),
  message: known('role', messageShape.read),
  tool: toolShape.read,
  toolChoice: toolChoiceShape.read,
}

/** A message in canonical form, checked and frozen: the same object when it is that already. */
export function ownMessage<T extends Message>(message: T, at?: Path): T {
  return strictly.message(message, at, strictly, {}) as T
}

/** A part in canonical form, checked and frozen: the same object when it is that already. */
export function ownPart<T extends Part>(part: T, at?: Path): T {
  return strictly.part(part, at, strictly, {}) as T
}

/** Reads a value of the given shape strictly, as a frozen copy. */
export function readStrictly<T>(shape: Shape<T>, value: unknown, at?: Path): T {
  return shape.read(value, at, strictly, {})
}

/** Takes an object that we made as it is: only parts have a `type` of ours, only messages a `role`. */
export function known<T extends object>(tag: string, read: Read<T>): Read<T> {
  return (value, ...rest) => {
    const ours = typeof value === 'object' && value !== null && isSealed(value) && Object.hasOwn(value, tag)
    return ours ? (value as T) : read(value, ...rest)
  }
}
