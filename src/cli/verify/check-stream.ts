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

/** A streamed answer read and written in every format; one that broke off is told by its error. */
export async function checkStreamTranslations(
  text: string,
  from: DialectName,
): Promise<readonly TranslationCheck[]> {
  const events: ChatEvent[] = []
  for await (const event of dialects[from].decodeStream(encodeToBytes(text))) events.push(event)
  const failure = events.flatMap((event) => (event.type === 'error' ? [event.error] : []))[0]
  const crossings: TranslationCheck[] = []
  for (const to of Object.keys(dialects) as DialectName[]) {
    crossings.push(
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
  return crossings
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
    const written = Buffer.concat(pieces).toString()
    return {
      to,
      losses,
      violations: await (from === to
        ? findOwnFormatFaults(text, written, to, losses)
        : findTranslationFaults(events, written, to, losses)),
    }
  } catch (error) {
    if (error instanceof InterlinguaError) return { to, losses, violations: [], refusedWith: error.code }
    return { to, losses, violations: [['readable', formatReason(error)]] }
  }
}

async function findOwnFormatFaults(
  text: string,
  written: string,
  name: DialectName,
  losses: readonly Loss[],
): Promise<TranslationCheck['violations']> {
  const same = isEqualJson(parsePayloads(text, name), parsePayloads(written, name))
  return [
    ...(same ? [] : [['own-exact', 'other payloads'] as const]),
    ...losses.slice(0, 1).map(({ rule, path }) => ['own-lossless', `${rule} at ${path}`] as const),
  ]
}

async function findTranslationFaults(
  events: readonly ChatEvent[],
  written: string,
  to: DialectName,
  losses: readonly Loss[],
): Promise<TranslationCheck['violations']> {
  try {
    const before = await accumulate(events)
    const after = await accumulate(dialects[to].decodeStream(encodeToBytes(written)))
    const isSilent =
      losses.length === 0 &&
      extractComparableText(before.candidates) !== extractComparableText(after.candidates)
    return isSilent ? [['told', 'other words, and nothing told']] : []
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
