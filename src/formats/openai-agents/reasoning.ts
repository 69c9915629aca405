import { attachSignature } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { readOptionalList, requireObject, requireText } from '../engine/require-fields.ts'
import { AGENTS_SLOT } from './constants.ts'

const SEPARATOR = '\n\n'

/** The type of the entries of each list. */
const TEXT_TYPES: { readonly [key: string]: string } = { content: 'input_text', rawContent: 'reasoning_text' }

/** Spellings of the encrypted reasoning in the data of the provider. */
const PROVIDER_KEYS = { encrypted_content: ['encryptedContent'] } as const

/** Reads reasoning: `content` is the summary for the user, `rawContent` the reasoning itself. */
export function readReasoning(item: JsonObject, path: Path): ReasoningPart {
  const summary = readTexts(item, 'content', path)
  const raw = readTexts(item, 'rawContent', path)
  const isSummary = summary.length > 0 || raw.length === 0
  const texts = isSummary ? summary : raw
  const part = checkAndFreezePart<ReasoningPart>(
    { type: 'reasoning', text: texts.join(SEPARATOR), ...(summary.length > 0 && { summary: true }) },
    path,
  )
  const { providerData: data } = item
  const value = isObject(data) ? (data['encrypted_content'] ?? data['encryptedContent']) : undefined
  const signed = typeof value === 'string' ? attachSignature(part, { vendor: 'openai', value }) : part
  const hints = texts.length > 1 ? { lengths: texts.map(({ length }) => length) } : {}
  return attachResidue(
    signed,
    AGENTS_SLOT,
    hints,
    item,
    (unit) => writeReasoning(unit, undefined, silentReporter),
    { aliases: PROVIDER_KEYS },
  )
}

/** Reads the texts of a list; entries of an unknown type stay residue. */
function readTexts(item: JsonObject, key: string, path: Path): readonly string[] {
  return readOptionalList(item, key, path).flatMap((entry: Json, index) => {
    const at = child(child(path, key), index)
    const given = requireObject(entry, at, 'a text of reasoning')
    return given['type'] === TEXT_TYPES[key] ? [requireText(given, 'text', at)] : []
  })
}

/** Writes reasoning. Only OpenAI's own signatures can be sent back to OpenAI. */
export function writeReasoning(
  part: ReasoningPart,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const texts = splitText(part.text, getHints(part, AGENTS_SLOT).lengths)
  const wire = {
    type: 'reasoning',
    content: part.summary ? texts.map((text) => ({ type: 'input_text', text })) : [],
    ...(!part.summary &&
      texts.length > 0 && { rawContent: texts.map((text) => ({ type: 'reasoning_text', text })) }),
    ...writeSignature(part, path, report),
  }
  return applyResidue(wire, part, AGENTS_SLOT)
}

function writeSignature(
  part: ReasoningPart,
  path: Path | undefined,
  report: FormatReporter,
): { readonly providerData?: JsonObject } {
  if (part.signature === undefined) return {}
  const { vendor, value } = part.signature
  const isValid = isSignatureValid(part)
  if (isValid && vendor === 'openai') return { providerData: { encrypted_content: value } }
  report.add(isValid ? 'signature-dropped' : 'stale-signature', child(path, 'signature'))
  return {}
}

/** Returns the texts that a text was joined from, as long as their lengths still match it. */
function splitText(text: string, lengths: Json | undefined): readonly string[] {
  if (text === '') return []
  if (!Array.isArray(lengths) || !lengths.every((length) => typeof length === 'number')) return [text]
  let start = 0
  const texts = lengths.map((length) => {
    const piece = text.slice(start, start + length)
    start += length + SEPARATOR.length
    return piece
  })
  return texts.join(SEPARATOR) === text ? texts : [text]
}
