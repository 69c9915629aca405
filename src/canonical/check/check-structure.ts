import { isObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { throwInvalid, throwMissing, throwWrongType } from '../shape/shape.ts'

/** Part types whose content is a list of parts. */
const PARTS_WITH_CONTENT: ReadonlySet<unknown> = new Set(['tool-result'])

/**
 * Throws for a value that is not built like a message: an object with a role and a list of parts. Rules about conversations
 * rely on nothing else, so that they can report ids and fields that the canonical form does not allow.
 */
export function checkStructure(message: unknown, path: Path): void {
  if (!isObject(message)) return throwWrongType(message, path, 'a message: an object')
  if (typeof message['role'] !== 'string') throwMissing(child(path, 'role'), 'a role')
  checkParts(message['content'], child(path, 'content'))
}

function checkParts(parts: unknown, path: Path): void {
  if (!Array.isArray(parts)) {
    const hint = 'Parse JSON from other sources first: `parseMessages` of interlingua/parse.'
    return throwInvalid('invalid-type', path, 'no list', 'a list of parts', hint)
  }
  for (const [index, part] of (parts as readonly unknown[]).entries()) {
    const partPath = child(path, index)
    if (!isObject(part)) return throwWrongType(part, partPath, 'a part: an object')
    if (typeof part['type'] !== 'string') return throwMissing(child(partPath, 'type'), 'the type of a part')
    if (PARTS_WITH_CONTENT.has(part['type'])) checkParts(part['content'], child(partPath, 'content'))
  }
}
