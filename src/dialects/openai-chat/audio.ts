import type { AudioPart } from '../../canonical/model/part.ts'
import { digestOf } from '../../canonical/read/digest.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, boundFor, keep, type Slot } from '../unit.ts'
import { MAKER, RESPONSE, SLOT } from './codes.ts'
import type { OpenAIChatHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** An answer does not say in which format it speaks: the request did. */
const UNSAID = 'application/octet-stream'

/** Reads what an answer speaks: the sound in a response, and later its id. */
export function decodeAudio(wire: Json | undefined, slot: Slot<OpenAIChatHint>): readonly AudioPart[] {
  if (!isObject(wire) || typeof wire['id'] !== 'string' || wire['id'] === '') return []
  const part = slot === RESPONSE ? readSound(wire) : readId(wire)
  if (part === undefined) return []
  const bound = { id: [digestOf(part), wire['id']] }
  const spoken = slot === RESPONSE ? { ...part, extra: { [SLOT]: { $: { bound } } } } : part
  return [keep(spoken, SLOT, slot, {}, wire, (each) => encodeAudio(each, undefined, silent, slot))]
}

function readSound({ data, transcript }: Wire): AudioPart | undefined {
  if (typeof data !== 'string') return undefined
  const source = { kind: 'base64', data, mediaType: UNSAID } as const
  return { type: 'audio', source, ...(typeof transcript === 'string' && { transcript }) }
}

function readId({ id }: Wire): AudioPart {
  return { type: 'audio', source: { kind: 'id', id: id as string, provider: MAKER } }
}

/** Writes what an answer speaks; undefined for sounds that this format did not make. */
export function encodeAudio(
  part: AudioPart,
  at: Path | undefined,
  encoding: Encoding,
  slot: Slot<OpenAIChatHint>,
): JsonObject | undefined {
  const id = idOf(part)
  if (id === undefined) return undefined
  if (part.cache !== undefined) encoding.lose('cache-hint', below(at, 'cache'))
  const { source, transcript } = part
  if (slot !== RESPONSE) return applyResidue({ id }, part, slot)
  if (source.kind !== 'base64') return undefined
  return applyResidue({ id, data: source.data, expires_at: 0, transcript: transcript ?? '' }, part, slot)
}

/** Whether the provider made this sound, so that it has a field of its own. */
export function isOwnSound(part: AudioPart): boolean {
  return idOf(part) !== undefined
}

/** The id by which the provider knows the sound, as long as it is the same. */
function idOf(part: AudioPart): string | undefined {
  if (part.source.kind === 'id') return part.source.provider === MAKER ? part.source.id : undefined
  const { id } = boundFor(part, SLOT)
  const [of, value] = isList(id) ? id : []
  return of === digestOf(part) && typeof value === 'string' ? value : undefined
}
