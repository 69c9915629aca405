import type { HasExtra } from '../../canonical/model/extra.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { Dialect } from '../../dialects/engine/dialect.ts'
import type { EngineHint } from '../../dialects/engine/residue-hints.ts'
import { getHints, type Slot, toSlot, withSlot } from '../../dialects/engine/residue-slots.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { omitKeys } from './session-builder.ts'

/**
 * Decodes wire messages of a transcript. A record contains only a part of the conversation, so calls and their results are in
 * different bodies: the mark that they are to be sent without each other is removed.
 */
export function decodeMessages(dialect: Dialect, body: JsonObject): readonly Message[] {
  const slot: Slot<EngineHint> = toSlot(dialect.name)
  return [...dialect.decodeRequest(body).value.messages].map((message) => {
    const content = (message.content as readonly Part[]).map((part) => withoutPairingHint(part, slot))
    return withoutPairingHint({ ...message, content } as Message, slot)
  })
}

function withoutPairingHint<T extends HasExtra>(unit: T, slot: Slot<EngineHint>): T {
  const hints = getHints(unit, slot)
  if (hints.preserveInvalid === undefined) return unit
  const { $: meta, ...residue } = unit.extra?.[slot] ?? {}
  const rest = omitKeys(hints, ['preserveInvalid'])
  const plain = omitKeys(isObject(meta) ? meta : {}, ['hints'])
  const kept = Object.keys(rest).length > 0 ? { ...plain, hints: rest } : plain
  return withSlot(unit, slot, Object.keys(kept).length > 0 ? { ...residue, $: kept } : residue)
}
