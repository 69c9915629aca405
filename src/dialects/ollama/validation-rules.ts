import type { Rule } from '../../canonical/check/rule.ts'

/** The server asks nothing of a conversation beyond what every provider does: ids and names are free, turns in any order. */
export const validationRules: readonly Rule[] = []
