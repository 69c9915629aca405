import { repair } from '../../../canonical/check/repair.ts'
import type { Repair } from '../../../canonical/check/validation-rule.ts'
import { validate } from '../../../canonical/check/validate.ts'
import type { Translation } from '../../../canonical/model/loss.ts'
import { toJson } from '../../../canonical/stored/stored-form.ts'
import { dialects } from '../../../dialects/dialects.ts'
import type { DialectName } from '../../../dialects/engine/dialect.ts'
import { messageFormatCodecs, type WritableFormatName } from '../../../formats/message-formats.ts'
import { toMessages } from '../../../formats/to-messages.ts'
import { requestRules } from '../../../testing/rules/request-rules.ts'
import { applyRules, type WireObject } from '../../../testing/rules/request-rule.ts'
import { toServerForm } from '../../../testing/rules/to-server-form.ts'
import { isObject } from '../../../wire/json.ts'
import type { LensProblem, LensRepair } from './lens-analysis.ts'
import { type LensDocument, listLensMessages } from './lens-document.ts'
import { isDialectName } from './lens-targets.ts'

/** Returns what is wrong with a document: by the rules for conversations, and by the rules of the provider for bodies. */
export function findProblems(document: LensDocument): readonly LensProblem[] {
  const { content, streamError } = document
  const failure = streamError && {
    rule: streamError.code,
    path: '',
    severity: 'error' as const,
    message: streamError.message,
  }
  // A response is not a complete conversation: the results of its tool calls follow later.
  if (content.kind === 'response') return failure === undefined ? [] : [failure]
  const name = getDialectName(document)
  const problems = validate(listLensMessages(content), name && dialects[name])
  return [
    ...problems.map((problem) => ({ ...problem, path: `/messages${problem.path}` })),
    ...(name === undefined ? [] : checkBody(name, document.body)),
  ]
}

/** Checks a body by the rules of its provider that are not part of the published schema. */
function checkBody(name: DialectName, body: unknown): readonly LensProblem[] {
  if (!isObject(body)) return []
  const wire = toServerForm(name, body as WireObject)
  const model = typeof wire['model'] === 'string' ? wire['model'] : ''
  return applyRules(requestRules[name], wire, { model }).map(({ rule, path, message }) => ({
    rule,
    path,
    isWirePath: true,
    severity: 'error',
    message,
  }))
}

function getDialectName({ detections: [first] }: LensDocument): DialectName | undefined {
  return first !== undefined && isDialectName(first.name) ? first.name : undefined
}

/**
 * Repairs the conversation of a document and writes it in its format. A body that its provider would still reject is written
 * from the canonical fields alone.
 */
export function repairDocument(document: LensDocument): LensRepair {
  const { content } = document
  const name = getDialectName(document)
  if (content.kind === 'response') return { text: format(toJson(content.response)), repairs: [] }
  const repairs: Repair[] = []
  const messages = repair(listLensMessages(content), name && dialects[name], {
    onRepair: (each) => repairs.push(each),
  })
  const request = { ...content.request, messages }
  if (name === undefined) {
    const [first] = document.detections
    if (!isWritable(first?.name)) return { text: format(toJson(request)), repairs }
    return describeRepair(toMessages(messages, { to: first.name }), repairs)
  }
  const encoded = dialects[name].encodeRequest(request)
  if (checkBody(name, encoded.value).length === 0 || document.body === undefined)
    return describeRepair(encoded, repairs)
  const canonical = dialects[name].decodeRequest(document.body, { exact: false }).value
  const plain = dialects[name].encodeRequest({ ...canonical, messages: stripResidue(messages) })
  return describeRepair(plain, [
    ...repairs,
    'The provider refuses the body: fields without a meaning for other formats were removed.',
  ])
}

/** Describes a written input. What its format cannot represent is listed with the repairs. */
function describeRepair({ value, losses }: Translation<unknown>, repairs: LensRepair['repairs']): LensRepair {
  const lost = losses.filter(({ severity }) => severity === 'loss').map(({ reason }) => reason)
  return { text: format(value), repairs: [...repairs, ...lost] }
}

function stripResidue<T extends { readonly extra?: unknown }>(messages: readonly T[]): readonly T[] {
  return messages.map(({ extra: _extra, ...message }) => message as T)
}

function isWritable(name: string | undefined): name is WritableFormatName {
  return name !== undefined && Object.hasOwn(messageFormatCodecs, name)
}

const format = (value: unknown): string => JSON.stringify(value, undefined, 2)
