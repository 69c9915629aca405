import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { UIHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'ai-sdk-ui-messages'

/**
 * The slot of residue. Hints: `separate` starts a message after another one of the assistant, `noStepStart` is a step
 * without a `step-start` part, `dynamic` is a call of a tool that the client does not know by name, and `unanswered` is a call
 * without a result whose id another call repeats.
 */
export const UI_SLOT: Slot<UIHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)
