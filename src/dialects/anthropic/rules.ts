import type { Rule } from '../../canonical/check/rule.ts'
import { callIdRule, emptyText, firstTurn, toolNameRule } from '../shared/validity.ts'
import { idRule, toolNames } from './codes.ts'

/** What the provider asks of a conversation beyond what every provider does. */
export const rules: readonly Rule[] = [emptyText, firstTurn, callIdRule(idRule), toolNameRule(toolNames)]
