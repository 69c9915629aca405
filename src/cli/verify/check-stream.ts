import { accumulate } from '../../canonical/stream/accumulate.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { streamOf } from '../../dialects/define.ts'
import type { DialectName } from '../../dialects/dialect.ts'
import { encodeStream } from '../../dialects/stream.ts'
import { codecs, dialects } from '../../dialects/translate.ts'
import { InterlinguaError } from '../../errors.ts'
import { equalJson, type Json } from '../../wire/json.ts'
import { reasonOf } from '../failure.ts'
import { bytesOf } from '../input/text.ts'
import type { Crossing } from './check.ts'
import { spoken } from './spoken.ts'

/** A streamed answer read and written in every format; one that broke off is told by its error. */
export async function crossStream(text: string, from: DialectName): Promise<readonly Crossing[]> {
  const events: ChatEvent[] = []
  for await (const event of dialects[from].decodeStream(bytesOf(text))) events.push(event)
  const failure = events.flatMap((event) => (event.type === 'error' ? [event.error] : []))[0]
  const crossings: Crossing[] = []
  for (const to of Object.keys(dialects) as DialectName[]) {
    crossings.push(
      failure === undefined
        ? await cross(events, text, from, to)
        : {
            to,
            losses: [],
            broken: [],
            refused: failure instanceof InterlinguaError ? failure.code : 'error',
          },
    )
  }
  return crossings
}

async function cross(
  events: readonly ChatEvent[],
  text: string,
  from: DialectName,
  to: DialectName,
): Promise<Crossing> {
  const losses: Loss[] = []
  try {
    const pieces: Uint8Array[] = []
    for await (const piece of encodeStream(streamOf(codecs[to]), events, {}, (loss) => losses.push(loss)))
      pieces.push(piece)
    const written = Buffer.concat(pieces).toString()
    return {
      to,
      losses,
      broken: await (from === to
        ? ownFaults(text, written, to, losses)
        : crossFaults(events, written, to, losses)),
    }
  } catch (error) {
    if (error instanceof InterlinguaError) return { to, losses, broken: [], refused: error.code }
    return { to, losses, broken: [['readable', reasonOf(error)]] }
  }
}

async function ownFaults(
  text: string,
  written: string,
  name: DialectName,
  losses: readonly Loss[],
): Promise<Crossing['broken']> {
  const same = equalJson(payloads(text, name), payloads(written, name))
  return [
    ...(same ? [] : [['own-exact', 'other payloads'] as const]),
    ...losses.slice(0, 1).map(({ rule, path }) => ['own-lossless', `${rule} at ${path}`] as const),
  ]
}

async function crossFaults(
  events: readonly ChatEvent[],
  written: string,
  to: DialectName,
  losses: readonly Loss[],
): Promise<Crossing['broken']> {
  try {
    const before = await accumulate(events)
    const after = await accumulate(dialects[to].decodeStream(bytesOf(written)))
    const silent = losses.length === 0 && spoken(before.candidates) !== spoken(after.candidates)
    return silent ? [['told', 'other words, and nothing told']] : []
  } catch (error) {
    return [['readable', reasonOf(error)]]
  }
}

function payloads(text: string, name: DialectName): readonly Json[] {
  const found: Json[] = []
  const parser = streamOf(codecs[name]).framing.createParser((payload) => found.push(payload))
  parser.push(text)
  parser.end()
  return found
}
