import type { Rule } from '../../canonical/check/rule.ts'
import { createCallIdRule, createToolNameRule } from '../shared/validation-rules.ts'
import { callIdRule, toolNameRule } from './constants.ts'

/** The rules of this dialect beyond those that every provider has. */
export const validationRules: readonly Rule[] = [
  createCallIdRule(callIdRule),
  createToolNameRule(toolNameRule),
]
