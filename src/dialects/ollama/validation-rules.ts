import type { Rule } from '../../canonical/check/rule.ts'

/**
 * Empty, because the server adds no rules to the base rules: ids and names are free, and turns may have any
 * order.
 */
export const validationRules: readonly Rule[] = []
