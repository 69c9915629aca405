import { readFileSync } from 'node:fs'
import type { Loss, LossRule } from 'interlingua'
import { describe, expect, test } from 'vitest'
import {
  answerLossRules,
  commonLossRules,
} from '../../../src/canonical/losses/common-and-response-loss-rules.ts'
import { lossCatalog } from '../../../src/canonical/losses/loss-catalog.ts'
import { contentLossRules } from '../../../src/canonical/losses/content-loss-rules.ts'
import { createLoss } from '../../../src/canonical/losses/create-loss.ts'
import { formatLossRules } from '../../../src/canonical/losses/format-loss-rules.ts'
import { toPath } from '../../../src/wire/json-pointer.ts'
import {
  agentLossRules,
  sanitizeLossRules,
  uiLossRules,
} from '../../../src/canonical/losses/ui-sanitize-agent-loss-rules.ts'
import { settingLossRules, toolLossRules } from '../../../src/canonical/losses/request-loss-rules.ts'
import { type LossRuleGroups, buildLossRuleTable } from '../../../src/canonical/losses/loss-rule-table.ts'
import { schemaLossRules } from '../../../src/canonical/losses/schema-loss-rules.ts'
import { loadLossesScript } from './page.ts'

const tables = [
  answerLossRules,
  commonLossRules,
  contentLossRules,
  schemaLossRules,
  settingLossRules,
  toolLossRules,
  sanitizeLossRules,
  agentLossRules,
  uiLossRules,
  formatLossRules,
]
const { findReporters, renderLosses } = await loadLossesScript()
const rules = Object.keys(lossCatalog) as (keyof typeof lossCatalog)[]

describe('the catalog of loss rules', () => {
  test('defines each id once', () => {
    const ids = tables.flatMap((table) => Object.keys(buildLossRuleTable(table as LossRuleGroups)))
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(ids.toSorted()).toEqual(rules.toSorted())
  })

  test('is typed: an id that is not in it does not compile', () => {
    const lose = (rule: LossRule): unknown => Object.keys(lossCatalog).includes(rule)
    expect(lose('no-field')).toBe(true)
    // @ts-expect-error: the id has a typo
    expect(lose('no-feild')).toBe(false)
    const loss = createLoss(lossCatalog, 'no-field', toPath('/seed'), { dialect: 'gemini' })
    // @ts-expect-error: the target of a loss is required
    const untargeted: Loss = { ...loss, dialect: undefined }
    expect(untargeted.rule).toBe('no-field')
  })

  test('has no rule that no code reports', () => {
    const reporters = findReporters([...rules, 'provider-call-dropped'])
    const unused = Object.keys(reporters).filter((rule) => reporters[rule]?.length === 0)
    expect(unused).toEqual(['provider-call-dropped'])
  })

  test('is documented: docs/reference/losses.md', () => {
    const page = readFileSync(new URL('../../../docs/reference/losses.md', import.meta.url), 'utf8')
    expect(page, 'run `npm run losses`').toBe(renderLosses(lossCatalog))
    for (const rule of rules) expect(page).toContain(`| \`${rule}\` |`)
  })

  test.each(rules)('%s: the reason is a sentence with the field and the target', (rule) => {
    const { reason } = createLoss(lossCatalog, rule, toPath('/messages/3/content/0'), {
      dialect: 'anthropic',
    })
    expect(reason).toMatch(/^[A-Z`].{10,}\.$/)
    expect(reason).toContain('`messages[3].content[0]`')
    if (!(rule in buildLossRuleTable(sanitizeLossRules))) expect(reason).toContain('anthropic')
    expect(reason).not.toMatch(/[{}]|\b(here|there|nobody|told|said|says|whoever|speaks?|set aside|goes)\b/)
  })

  test('a reason names the host where the rule depends on it', () => {
    const target = { dialect: 'openai-chat', flavor: 'groq' }
    expect(createLoss(lossCatalog, 'message-name', toPath('/messages/0/name'), target).reason).toBe(
      '`messages[0].name` is not supported by groq (openai-chat); it was omitted.',
    )
  })
})
