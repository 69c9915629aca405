import { accumulate } from '../../canonical/stream/accumulate.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { getStreamCodec } from '../../dialects/engine/define-dialect.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { encodeStreamBytes } from '../../dialects/engine/stream-encoder.ts'
import { createStreamTextReader } from '../../dialects/engine/stream-text-reader.ts'
import { knownDialects } from '../registry.ts'
import { InterlinguaError } from '../../errors.ts'
import { isEqualJson, type Json } from '../../wire/json.ts'
import { formatErrorMessage } from '../error-output.ts'
import { encodeToBytes } from '../input/bytes-to-text.ts'
import { decodeKnownStream } from '../input/input-document.ts'
import {
  listDialectNames,
  findOwnFormatFaults,
  findSilentLoss,
  createFailedTranslationCheck,
  type TranslationCheckResult,
  type Violations,
} from './check-document.ts'

/** Translates a streamed response into every dialect. A stream that ends with an error counts as refused. */
export async function checkStreamTranslations(
  text: string,
  from: DialectName,
): Promise<readonly TranslationCheckResult[]> {
  const events: ChatEvent[] = []
  for await (const event of decodeKnownStream(from, encodeToBytes(text))) events.push(event)
  const failed = events.find((event) => event.type === 'error')
  if (failed !== undefined) {
    const refusedWith = failed.error instanceof InterlinguaError ? failed.error.code : 'error'
    return listDialectNames().map((to) => ({ to, losses: [], violations: [], refusedWith }))
  }
  const checks: TranslationCheckResult[] = []
  for (const to of listDialectNames()) checks.push(await checkStreamTranslation(events, text, from, to))
  return checks
}

async function checkStreamTranslation(
  events: readonly ChatEvent[],
  text: string,
  from: DialectName,
  to: DialectName,
): Promise<TranslationCheckResult> {
  const losses: Loss[] = []
  try {
    const codec = getStreamCodec(knownDialects[to])
    const readText = createStreamTextReader(codec)
    let encoded = ''
    for await (const piece of encodeStreamBytes(codec, events, {}, (loss) => losses.push(loss)))
      encoded += readText(piece)
    if (from !== to)
      return { to, losses, violations: await findTranslationFaults(events, encoded, to, losses) }
    const isSame = isEqualJson(parsePayloads(text, to), parsePayloads(encoded, to))
    return { to, losses, violations: findOwnFormatFaults(isSame ? undefined : 'the payloads differ', losses) }
  } catch (error) {
    return createFailedTranslationCheck(to, losses, error)
  }
}

async function findTranslationFaults(
  events: readonly ChatEvent[],
  encoded: string,
  to: DialectName,
  losses: readonly Loss[],
): Promise<Violations> {
  try {
    const before = await accumulate(events)
    const after = await accumulate(knownDialects[to].decodeStream(encodeToBytes(encoded)))
    return findSilentLoss(before.candidates, after.candidates, losses)
  } catch (error) {
    return [['readable', formatErrorMessage(error)]]
  }
}

function parsePayloads(text: string, name: DialectName): readonly Json[] {
  const found: Json[] = []
  const parser = getStreamCodec(knownDialects[name]).framing.createParser((payload) => found.push(payload))
  parser.push(text)
  parser.end()
  return found
}
