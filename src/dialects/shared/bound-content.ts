import type { DialectRule } from '../../canonical/losses/catalog.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { Json } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Bound } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** Returns the content that fields such as log probabilities are bound to: all text that the model generated. */
export function listTexts(message: AssistantMessage | undefined): Json {
  return (message?.content ?? []).map((part) => ('text' in part ? part.text : part.type))
}

/** Returns the texts of a message for the residue of `slot` that is bound to them; stale residue is reported. */
export function bindToTexts(
  message: AssistantMessage | undefined,
  slot: string,
  path: Path | undefined,
  context: EncodeContext,
  rules: { readonly [key: string]: DialectRule } = {},
): Bound {
  return {
    content: listTexts(message),
    onMismatch: (key) => {
      const metaPath = child(child(child(path, 'extra'), slot), '$')
      context.report(rules[key] ?? 'stale-logprobs', child(child(metaPath, 'bound'), key))
    },
  }
}
