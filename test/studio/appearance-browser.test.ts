import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, PLACES } from './studio-browser.ts'

/** States of views that are reached by an action at a place. */
const STATES: { readonly [name: string]: readonly [place: string, act: (page: Page) => Promise<void>] } = {
  approval: [
    '#/chat',
    async (page) => {
      await page.getByRole('button', { name: 'Remind me to call Ada' }).click()
      await page.getByRole('button', { name: 'Approve' }).waitFor()
    },
  ],
  compare: [
    '#/conversations/sample-weather',
    async (page) => {
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByText('share their first').waitFor()
    },
  ],
  usage: [
    '#/conversations/sample-weather',
    async (page) => {
      await page.getByRole('button', { name: 'Usage' }).click()
      await page.getByText('Known costs').waitFor()
    },
  ],
  search: [
    '#/conversations',
    async (page) => {
      await page.getByRole('searchbox').fill('Lisbon')
      await page.locator('mark').first().waitFor()
    },
  ],
  edit: [
    '#/chat/sample-plan',
    async (page) => {
      await page.getByRole('button', { name: 'Edit' }).last().click()
      await page.getByRole('dialog').waitFor()
    },
  ],
  problem: [
    '#/lens',
    async (page) => {
      await page.locator('.sample-picker').selectOption('Conversation with a problem')
      await page.getByRole('button', { name: 'Repair' }).waitFor()
    },
  ],
  played: [
    '#/streams',
    async (page) => {
      await page.getByRole('group', { name: 'Playback' }).press('End')
      await page.locator('.answer-part').first().waitFor()
    },
  ],
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the serious violations of the page. */
async function findViolations(page: Page, rules: object): Promise<readonly string[]> {
  await page.evaluate(source)
  return page.evaluate(async (options) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } }
    return (await axe.run(options)).violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
  }, rules)
}

describeInBrowser('the appearance', (studio) => {
  beforeAll(() => studio.open())
  afterAll(() => studio.close())
  afterEach(() => studio.closePages())

  /** Shows every view, and every state, one after the other. */
  async function visitAll(page: Page, check: (name: string) => Promise<void>): Promise<void> {
    for (const [place, heading] of PLACES) {
      await page.goto(studio.base + place)
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      await check(place)
    }
    for (const [name, [place, act]] of Object.entries(STATES)) {
      // Otherwise a dialog of the state before stays open.
      await page.goto('about:blank')
      await page.goto(studio.base + place)
      await act(page)
      await check(name)
    }
  }

  test.each(['light', 'dark'] as const)('axe finds no serious violation: %s', async (colorScheme) => {
    // A theme changes only the colors.
    const rules = colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] }
    const { page } = await studio.newPage('#/chat', { colorScheme, bypassCSP: true })
    await visitAll(page, async (name) => expect(await findViolations(page, rules), name).toEqual([]))
  })

  test('a phone shows every view without scrolling sideways', async () => {
    const { page } = await studio.newPage('#/chat', { viewport: { width: 360, height: 700 } })
    await visitAll(page, async (name) => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, name).toBeLessThanOrEqual(360)
    })
  })
})
