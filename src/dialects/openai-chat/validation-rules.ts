import type { Rule } from '../../canonical/check/rule.ts'
import { createCallIdRule, createToolNameRule } from '../shared/validation-rules.ts'
import { callIdRule, toolNameRule } from './constants.ts'

/** What the provider asks of a conversation beyond what every provider does. */
export const validationRules: readonly Rule[] = [
  createCallIdRule(callIdRule),
  createToolNameRule(toolNameRule),
]
