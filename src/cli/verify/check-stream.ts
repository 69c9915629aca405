import { accumulate } from '../../canonical/stream/accumulate.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { getStreamCodec } from '../../dialects/engine/define-dialect.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { encodeStream } from '../../dialects/engine/stream.ts'
import { dialectCodecs, dialects } from '../../dialects/dialects.ts'
import { InterlinguaError } from '../../errors.ts'
import { isEqualJson, type Json } from '../../wire/json.ts'
import { formatReason } from '../error-output.ts'
import { encodeToBytes } from '../input/bytes-to-text.ts'
import { type TranslationCheck, extractComparableText } from './check-document.ts'

/**
 * Translates a streamed response into every dialect and checks each result. A stream that ends with an error
 * counts as refused.
 */
export async function checkStreamTranslations(
  text: string,
  from: DialectName,
): Promise<readonly TranslationCheck[]> {
  const events: ChatEvent[] = []
  for await (const event of dialects[from].decodeStream(encodeToBytes(text))) events.push(event)
  const failure = events.flatMap((event) => (event.type === 'error' ? [event.error] : []))[0]
  const checks: TranslationCheck[] = []
  for (const to of Object.keys(dialects) as DialectName[]) {
    checks.push(
      failure === undefined
        ? await checkStreamTranslation(events, text, from, to)
        : {
            to,
            losses: [],
            violations: [],
            refusedWith: failure instanceof InterlinguaError ? failure.code : 'error',
          },
    )
  }
  return checks
}

async function checkStreamTranslation(
  events: readonly ChatEvent[],
  text: string,
  from: DialectName,
  to: DialectName,
): Promise<TranslationCheck> {
  const losses: Loss[] = []
  try {
    const pieces: Uint8Array[] = []
    for await (const piece of encodeStream(getStreamCodec(dialectCodecs[to]), events, {}, (loss) =>
      losses.push(loss),
    ))
      pieces.push(piece)
    const encoded = Buffer.concat(pieces).toString()
    return {
      to,
      losses,
      violations: await (from === to
        ? findOwnFormatFaults(text, encoded, to, losses)
        : findTranslationFaults(events, encoded, to, losses)),
    }
  } catch (error) {
    if (error instanceof InterlinguaError) return { to, losses, violations: [], refusedWith: error.code }
    return { to, losses, violations: [['readable', formatReason(error)]] }
  }
}

async function findOwnFormatFaults(
  text: string,
  encoded: string,
  name: DialectName,
  losses: readonly Loss[],
): Promise<TranslationCheck['violations']> {
  const isSame = isEqualJson(parsePayloads(text, name), parsePayloads(encoded, name))
  return [
    ...(isSame ? [] : [['own-exact', 'the payloads differ'] as const]),
    ...losses.slice(0, 1).map(({ rule, path }) => ['own-lossless', `${rule} at ${path}`] as const),
  ]
}

async function findTranslationFaults(
  events: readonly ChatEvent[],
  encoded: string,
  to: DialectName,
  losses: readonly Loss[],
): Promise<TranslationCheck['violations']> {
  try {
    const before = await accumulate(events)
    const after = await accumulate(dialects[to].decodeStream(encodeToBytes(encoded)))
    const isSilent =
      losses.length === 0 &&
      extractComparableText(before.candidates) !== extractComparableText(after.candidates)
    return isSilent ? [['reported', 'the text differs, and no loss was reported']] : []
  } catch (error) {
    return [['readable', formatReason(error)]]
  }
}

function parsePayloads(text: string, name: DialectName): readonly Json[] {
  const found: Json[] = []
  const parser = getStreamCodec(dialectCodecs[name]).framing.createParser((payload) => found.push(payload))
  parser.push(text)
  parser.end()
  return found
}
