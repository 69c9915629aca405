import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import { geminiDialect } from '../../dialects/gemini/index.ts'
import type { WireRecordFormat } from '../engine/wire-record.ts'
import { signsByDialect } from '../wire-messages/signs.ts'
import type { GeminiTuningHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'gemini-tuning'

/** The slot of residue. */
export const TUNING_SLOT: Slot<GeminiTuningHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/**
 * A line is a request without a model: `systemInstruction`, `contents` and `tools`; a preference line has `completions` with a
 * `score` and a `completion` each. Source: the pages about supervised and preference tuning of Gemini in the documentation of
 * Vertex AI.
 */
export const RECORD_FORMAT: WireRecordFormat = {
  name: NAME,
  dialect: geminiDialect,
  list: 'contents',
  messageSigns: signsByDialect.gemini,
  settings: ['tools', 'toolChoice'],
}
