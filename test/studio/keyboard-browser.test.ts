import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './studio-browser.ts'

const MAX_PRESSES = 60

/** Presses Tab until an element with a name has the focus, and checks that its focus is visible. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    await page.keyboard.press('Tab')
    // After the last element, no element of the page has the focus.
    const { label, outline } = await page.evaluate(() => {
      const element = document.activeElement ?? document.body
      const [field] = (element as HTMLInputElement).labels ?? []
      const names = [element.getAttribute('aria-label'), field?.textContent, element.textContent]
      return {
        label: element === document.body ? '' : (names.find((each) => each) ?? ''),
        outline: getComputedStyle(element).outlineStyle,
      }
    })
    if (typeof name === 'string' ? label.trim() !== name : !name.test(label)) continue
    expect(outline, label).not.toBe('none')
    return
  }
  throw new Error(`The Tab key does not reach ${String(name)}`)
}

describeInBrowser('the keyboard alone', (studio) => {
  beforeAll(() => studio.open())
  afterAll(() => studio.close())
  afterEach(() => studio.closePages())

  test('chats, decides a call, edits a message and switches the theme', async () => {
    const { page } = await studio.newPage()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toContain('Skip to content')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Message')
    await page.keyboard.type('Remind me of the milk')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await tabTo(page, 'Approve')
    await page.keyboard.press('Enter')
    await page.getByText('reminder: set').first().waitFor()
    await tabTo(page, 'Edit')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The focus returns to the button that opened the dialog.
    expect(await page.locator(':focus').textContent()).toBe('Edit')
    await tabTo(page, /^Theme/)
    await page.keyboard.press('Enter')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
  })

  test('opens a conversation, moves in its tree, compares branches and forks', async () => {
    const { page } = await studio.newPage()
    await tabTo(page, 'Branches')
    await page.keyboard.press('Enter')
    await tabTo(page, /^Weather, asked of three models/)
    await page.keyboard.press('Enter')
    await page.locator('.tree-row').first().waitFor()
    await tabTo(page, /^system/)
    for (let presses = 0; presses < 7; presses++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('.transcript').getByText('I cannot see live data').waitFor()
    await tabTo(page, 'Fork')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '(fork)' }).waitFor()
    await page.goto(`${studio.base}#/conversations/sample-weather`)
    await page.getByText('17 messages').waitFor()
    await tabTo(page, 'Compare')
    await page.keyboard.press('Enter')
    await page.getByText('share their first').waitFor()
    await tabTo(page, 'Right branch')
    await page.keyboard.press('ArrowDown')
    await page.locator('.compare-side').nth(1).locator('.badge', { hasText: 'gpt-5' }).first().waitFor()
  })

  test('repairs an input of the lens, finds a loss, and opens a request of the gateway', async () => {
    const { page } = await studio.newPage('#/lens')
    await page.locator('.pane-cell').first().waitFor()
    await tabTo(page, /^Paste a request/)
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(
      '{"model":"gpt-5.4","seed":7,"messages":[{"role":"user","content":"Typed"}]',
    )
    await page.getByRole('button', { name: 'Repair the JSON' }).waitFor()
    await tabTo(page, 'Repair the JSON')
    await page.keyboard.press('Enter')
    await page.locator('.lens-result').getByText('openai-chat request').waitFor()
    await tabTo(page, 'What changes')
    await page.keyboard.press('Enter')
    await tabTo(page, /^Show /)
    await page.keyboard.press('Enter')
    await page.locator('.line[data-line]:focus').waitFor()
    await page.goto(`${studio.base}#/gateway`)
    await page.getByRole('button', { name: 'Send sample requests' }).waitFor()
    await page.getByRole('row', { name: 'demo-busy' }).waitFor()
    await tabTo(page, 'Open in the lens')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.locator('#lens-text').inputValue(), { timeout: 60_000 })
      .toContain('"messages"')
  })
})
