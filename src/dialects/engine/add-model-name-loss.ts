import { getDialectLossRules } from '../../canonical/losses/loss-catalog.ts'
import { createLoss } from '../../canonical/losses/create-loss.ts'
import type { Translation } from '../../canonical/model/loss.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeOptions } from './dialect.ts'

/** Names that a vendor gives to its models, and the dialects of the vendor's own API. */
interface ModelNaming {
  readonly names: RegExp
  readonly dialects: readonly string[]
}

/**
 * The vendors whose models only they and their partners serve. Open models, such as `gpt-oss`, have the same name at many
 * hosts. A colon marks a model of Ollama. Sources: the model lists of the three vendors and the library of Ollama.
 */
const MODEL_NAMINGS: readonly ModelNaming[] = [
  { names: /^claude-[^:]+$/i, dialects: ['anthropic'] },
  { names: /^(models\/)?gemini-[^:]+$/i, dialects: ['gemini', 'gemini-interactions'] },
  {
    names: /^(ft:.+|(chatgpt|codex|gpt(?!-oss))-[^:]+|o\d(-[^:]+)?)$/i,
    dialects: ['openai-chat', 'openai-responses'],
  },
]

/**
 * Returns a translated request with a note if its model has a name of another vendor; otherwise the same object. No name is
 * translated, because no model of the target is the same one.
 */
export function addModelNameLoss<T>(
  translation: Translation<T>,
  { model = '' }: ChatRequest,
  { from, to, ...options }: EncodeOptions & { readonly from: string; readonly to: string },
): Translation<T> {
  const naming = MODEL_NAMINGS.find(({ names }) => names.test(model))
  const isKnown = naming === undefined || naming.dialects.includes(to)
  if (from === to || options.model !== undefined || isKnown) return translation
  const target = { dialect: to, flavor: options.flavor }
  const loss = createLoss(getDialectLossRules(), 'model-name', child(undefined, 'model'), target)
  return Object.freeze({ ...translation, losses: Object.freeze([...translation.losses, loss]) })
}
