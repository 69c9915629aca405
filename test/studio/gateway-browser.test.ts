import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './studio-browser.ts'

describeInBrowser('the gateway view', (studio) => {
  beforeAll(() => studio.open())
  afterAll(() => studio.close())
  afterEach(() => studio.closePages())

  test('samples show durations, first tokens, losses by rule, a retry, a fallback and a failure', async () => {
    const { page, problems } = await studio.newPage('#/gateway')
    const row = page.getByRole('row', { name: 'demo-busy' })
    await row.getByText('1 retry').waitFor()
    await row.getByText('1 fallback').waitFor()
    await page.getByRole('row', { name: 'no-such-model' }).locator('.badge.danger').waitFor()
    await page.getByRole('button', { name: 'Send sample requests' }).waitFor()
    const facts = await page.locator('.facts').textContent()
    expect(facts).toMatch(/Requests20Failed1Retries1Fallbacks1Tokens[\d,]+ \/ [\d,]+/)
    expect(
      await page
        .getByRole('img', { name: /^Duration: p50 .* p95/ })
        .locator('rect')
        .count(),
    ).toBe(20)
    expect(await page.locator('rect.failed').count()).toBe(1)
    await page.getByRole('img', { name: /^First token: p50/ }).waitFor()
    expect(await page.locator('.loss-rules a').first().getAttribute('href')).toMatch(/losses\.html#[\w-]+$/)
    expect(problems).toEqual([])
  })

  test('a request of the gateway opens in the lens', async () => {
    const { page } = await studio.newPage('#/gateway')
    const body = { model: 'demo', messages: [{ role: 'user', content: 'A request for the lens' }] }
    await page.getByRole('row').nth(3).waitFor()
    // The samples are sent one after the other.
    await page.getByRole('button', { name: 'Send sample requests' }).waitFor()
    const count = await page.getByRole('row').count()
    const key = (await page.locator('code.key').textContent()) ?? ''
    const response = await fetch(`${studio.base}gateway/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    await expect.poll(() => page.getByRole('row').count(), { timeout: 60_000 }).toBe(count + 1)
    await page.getByRole('row').nth(1).getByRole('button', { name: 'Lens' }).click()
    await expect
      .poll(() => page.locator('#lens-text').inputValue(), { timeout: 60_000 })
      .toContain('for the lens')
  })
})
