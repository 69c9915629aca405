import type { Rule } from '../../canonical/check/rule.ts'
import { userFirstRule, createToolNameRule } from '../shared/validation-rules.ts'
import { toolNameRule } from './constants.ts'

/** What the provider asks of a conversation beyond what every provider does. */
export const validationRules: readonly Rule[] = [userFirstRule, createToolNameRule(toolNameRule)]
