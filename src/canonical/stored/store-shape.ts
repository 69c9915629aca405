import type { Path } from '../../wire/pointer.ts'
import { type MessageStore, storeOf, type StoreJson } from '../collections/message-store.ts'
import { Messages } from '../collections/messages.ts'
import { messageShape } from '../shape/message.ts'
import { objectShape, required } from '../shape/object.ts'
import { fail, jsonObject, list, type Reading, type Shape, type Spare, string } from '../shape/shape.ts'

type SectionJson = StoreJson['sections'][number]

const sectionShape: Shape<SectionJson> = objectShape<SectionJson>('Section', {
  name: required(string, 'Name of the section.'),
  messages: required(
    list({ ...messageShape, read: (...args) => args[2].message(...args) }),
    'The messages of the section.',
  ),
})

/** A store as plain JSON. */
export const storeShape: Shape<StoreJson> = objectShape<StoreJson>('MessageStore', {
  sections: required(list(sectionShape), 'The sections in order.'),
  parameters: required(jsonObject, 'The parameters.'),
})

/** Reads a store; sections that repeat a name are joined. It has no place for keys that it does not know. */
export function readStore(value: unknown, at: Path | undefined, reading: Reading): MessageStore {
  const unknown: Spare = {}
  const { sections, parameters } = storeShape.read(value, at, reading, unknown)
  if (Object.keys(unknown).length > 0)
    fail('unexpected-field', at, 'an unknown field', 'sections and parameters')
  return storeOf(
    sections.map(({ name, messages }) => ({ name, messages: Messages.from(messages) })),
    parameters,
  )
}
