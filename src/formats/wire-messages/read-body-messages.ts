import type { Loss, Translation } from '../../canonical/model/loss.ts'
import type { Message } from '../../canonical/model/message.ts'
import { detect } from '../../dialects/engine/detect.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { dialects } from '../../dialects/dialects.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { FormatLossReporter } from '../engine/format-loss-reporter.ts'

/** Messages of a body, with the dialect of the body. */
export interface BodyMessages extends Translation<readonly Message[]> {
  readonly format: DialectName
}

/** Below this certainty, a body is read as a list of messages. */
const MIN_CERTAINTY = 0.8

/** Fields of a request that say nothing about its conversation, and that a client adds without being asked. */
const FORM_FIELDS: ReadonlySet<string> = new Set(['messages', 'model', 'stream', 'extra', 'maxOutputTokens'])

/**
 * Reads the conversation of a request, with its system text, or the answers of a response. Tools and settings are reported.
 * Undefined for an object that is no body, or for one whose dialect differs from the given one.
 */
export function readBodyMessages(input: Json, from: string | undefined): BodyMessages | undefined {
  if (!isObject(input)) return undefined
  const found = detect(input).find(({ kind, certainty, name }) => {
    const isBody = (kind === 'request' || kind === 'response') && name in dialects
    return isBody && (from === undefined ? certainty >= MIN_CERTAINTY : name === from)
  })
  if (found === undefined) return undefined
  const format = found.name as DialectName
  if (found.kind === 'response') {
    const { candidates } = dialects[format].decodeResponse(input).value
    return { value: candidates, losses: NO_LOSSES, format }
  }
  const request = dialects[format].decodeRequest(input).value
  const reporter = new FormatLossReporter(format)
  for (const key of Object.keys(request))
    if (!FORM_FIELDS.has(key)) reporter.add('request-field', child(undefined, key))
  return { value: Object.freeze([...request.messages]), losses: Object.freeze(reporter.losses), format }
}

const NO_LOSSES: readonly Loss[] = Object.freeze([])
