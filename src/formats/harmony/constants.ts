import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import { createMarkerEscapes, type MarkerEscapes } from '../engine/marker-escapes.ts'
import type { HarmonyHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'harmony'

/** The slot of residue. */
export const HARMONY_SLOT: Slot<HarmonyHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/** The special tokens. Source: "Special tokens" of the guide of openai/harmony. */
export const TOKENS = {
  start: '<|start|>',
  end: '<|end|>',
  message: '<|message|>',
  channel: '<|channel|>',
  constrain: '<|constrain|>',
  return: '<|return|>',
  call: '<|call|>',
} as const

/** The escapes of all tokens. */
export const markerEscapes: MarkerEscapes = /* @__PURE__ */ createMarkerEscapes([
  ...Object.values(TOKENS),
  '<|startoftext|>',
  '<|endoftext|>',
])

/** The namespace of the tools of an application. */
export const NAMESPACE = 'functions'

/** The headings of a developer message. */
export const HEADINGS = {
  instructions: '# Instructions',
  tools: '# Tools',
  formats: '# Response Formats',
} as const
