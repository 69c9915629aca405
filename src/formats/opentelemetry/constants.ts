import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { TelemetryHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'opentelemetry'

/** The slot of residue. */
export const TELEMETRY_SLOT: Slot<TelemetryHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)
