import type { ReasoningPart, Signature } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { isObject, type Json } from '../../wire/json.ts'

/**
 * What the provider of an answer wants back with it and the format of the client cannot contain: a reasoning part as a whole,
 * because clients drop or change its text, or the signature of a call.
 */
export type CarriedItem =
  | { readonly type: 'reasoning'; readonly part: ReasoningPart }
  | { readonly type: 'call'; readonly id: string; readonly signature: Signature }

/** Reads items that were sealed; what is not one is omitted. */
export function readCarriedItems(value: Json | undefined): readonly CarriedItem[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: Json): readonly CarriedItem[] => {
    if (!isObject(item)) return []
    const { type, part, id, signature } = item
    if (type === 'reasoning' && isObject(part))
      return [{ type, part: checkAndFreezePart(part as unknown as ReasoningPart) }]
    if (type === 'call' && typeof id === 'string' && isObject(signature))
      return [{ type, id, signature: signature as unknown as Signature }]
    return []
  })
}
