import { assistant, user } from 'interlingua'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './studio-browser.ts'

const MESSAGES = 20_000

describeInBrowser('hostile and large conversations', (studio) => {
  beforeAll(() => studio.open())
  afterAll(() => studio.close())
  afterEach(() => studio.closePages())

  test('scripts, handlers, remote images, script links and control codes have no effect', async () => {
    const { page, requested, problems } = await studio.newPage('#/chat/sample-hostile')
    await page.getByText('inline handler').waitFor()
    const answer = page.locator('.message-assistant .markdown')
    expect(
      await answer.locator('script, img, style, iframe, form, input, [onclick], [onerror]').count(),
    ).toBe(0)
    expect(await page.title()).toBe('interlingua studio')
    expect(requested.filter((url) => !url.startsWith(studio.base))).toEqual([])
    expect(problems).toEqual([])
    expect(await answer.getByText('Click for a prize').getAttribute('href')).toBeNull()
    const link = answer.getByRole('link', { name: 'a plain link' })
    expect(await link.getAttribute('rel')).toContain('noopener')
    const text = (await answer.textContent()) ?? ''
    expect(text).toContain('⟨U+001B⟩[31mred')
    expect(text).toContain('⟨U+202E⟩gnp.exe')
  })

  test('a title and a model name with markup are shown as text', async () => {
    const { id } = await studio.storage.createSession({ title: '<img src=x onerror=alert(1)>' })
    const origin = { dialect: 'openai-chat', model: '<b>bold</b>' }
    await studio.storage.append(id, [user('Hi'), assistant('Hello', { origin })])
    const { page } = await studio.newPage(`#/conversations/${id}`)
    await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor()
    await page.getByText('<b>bold</b>').filter({ visible: true }).first().waitFor()
  })

  test('a message of 10 MB is shown piece by piece, and the page stays usable', async () => {
    const { id } = await studio.storage.createSession({ title: 'Large' })
    await studio.storage.append(id, [user('Hi'), assistant('large text '.repeat(1_000_000))])
    const { page } = await studio.newPage(`#/chat/${id}`)
    await page.getByRole('button', { name: /Show more/ }).waitFor()
    const shown = (await page.locator('.message-assistant').textContent()) ?? ''
    expect(shown.length).toBeLessThan(30_000)
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByText('Ask any model').waitFor()
  })

  test(`a conversation of ${MESSAGES} messages scrolls and is searched as smoothly as one of 100`, async () => {
    const short = await openConversation(100)
    const long = await openConversation(MESSAGES)
    const count = { short: await countLongTasks(short, 100), long: await countLongTasks(long, MESSAGES) }
    if (process.env['SOAK']) console.log(`long tasks: ${JSON.stringify(count)}`)
    // A list that is not virtual, or a search of the whole text in the page, blocks it again and again.
    expect(count.long).toBeLessThanOrEqual(2 * count.short + 8)
  })

  /** Opens a conversation of so many messages in a page of its own. */
  async function openConversation(length: number): Promise<Page> {
    const { id } = await studio.storage.createSession({ title: `Long ${length}` })
    const messages = Array.from({ length }, (_, index) =>
      index % 2 === 0 ? user(`Question ${index}`) : assistant(`Answer number${index} to it`),
    )
    await studio.storage.append(id, messages)
    const { page } = await studio.newPage(`#/conversations/${id}`)
    await page.getByText(`${length.toLocaleString('en')} messages, 1 branch`, { exact: true }).waitFor()
    return page
  }
})

/** Scrolls through a conversation, searches it, and returns how often the page was blocked for more than 50 ms. */
async function countLongTasks(page: Page, length: number): Promise<number> {
  const tasks = await page.evaluateHandle(() => {
    const longTasks: number[] = []
    const watch = (list: PerformanceObserverEntryList): void => {
      longTasks.push(...list.getEntries().map(({ duration }) => duration))
    }
    new PerformanceObserver(watch).observe({ entryTypes: ['longtask'] })
    return longTasks
  })
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const index = Math.round((length - 1) * share)
    await page.locator('.transcript').evaluate((element, part) => {
      element.dispatchEvent(new Event('wheel'))
      element.scrollTop = (element.scrollHeight - element.clientHeight) * part
    }, share)
    const shown = page.locator('.transcript .message:not([aria-busy=true])')
    await expect
      .poll(
        async () => {
          const numbers = (await shown.allTextContents()).flatMap((text) => /\d+/.exec(text)?.[0] ?? [])
          // Rows that were never shown have an estimated height, so the position is approximate.
          return numbers.some((number) => Math.abs(Number(number) - index) < length / 10)
        },
        { timeout: 60_000 },
      )
      .toBe(true)
    expect(await page.locator('.virtual-row').count(), `at ${index}`).toBeLessThan(200)
  }
  const wanted = `number${Math.round(length / 4) * 2 - 1}`
  await page.getByRole('searchbox').fill(wanted)
  await page.locator('mark').first().click()
  await page.locator('.transcript').getByText(wanted).waitFor()
  return tasks.evaluate((longTasks) => longTasks.length)
}
