import {
  throwInvalid,
  type Shape,
  stringShape,
  listShape,
  jsonObjectShape,
  timestampShape,
  identifierShape,
} from '../../canonical/shape/shape.ts'
import {
  objectShape,
  optional as optionalField,
  required as requiredField,
} from '../../canonical/shape/object.ts'
import { STORED_VERSION } from '../../canonical/stored/stored-form.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { Session } from '../conversation-storage.ts'

/** The first line of an export. */
export interface ExportHeader {
  readonly interlingua: number
  readonly session: Omit<Session, 'sections'>
  readonly sections: readonly { readonly name: string; readonly head?: string }[]
}

/** Any other line of an export: one message. */
export interface ExportedMessage {
  readonly interlingua: number
  readonly section: string
  readonly message: JsonObject
  readonly labels?: readonly string[]
}

const versionShape: Shape<number> = {
  expects: `a version from 1 to ${STORED_VERSION}`,
  read: (value, path) => {
    if (value === STORED_VERSION) return STORED_VERSION
    return throwInvalid('unsupported-version', path, 'another version', versionShape.expects)
  },
  schema: () => ({ const: STORED_VERSION }),
}

export const exportHeaderShape: Shape<ExportHeader> = objectShape<ExportHeader>('Export', {
  interlingua: requiredField(versionShape),
  session: requiredField(
    objectShape<ExportHeader['session']>('ExportedSession', {
      id: requiredField(identifierShape),
      title: requiredField(stringShape),
      labels: requiredField(listShape(stringShape)),
      parameters: requiredField(jsonObjectShape),
      createdAt: requiredField(timestampShape),
      updatedAt: requiredField(timestampShape),
    }),
  ),
  sections: requiredField(
    listShape(
      objectShape<ExportHeader['sections'][number]>('ExportedSection', {
        name: requiredField(identifierShape),
        head: optionalField(identifierShape),
      }),
    ),
  ),
})

export const exportedMessageShape: Shape<ExportedMessage> = objectShape<ExportedMessage>('ExportedMessage', {
  interlingua: requiredField(versionShape),
  section: requiredField(identifierShape),
  message: requiredField(jsonObjectShape),
  labels: optionalField(listShape(identifierShape)),
})
