import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DialectName, dialects, fromJson } from 'interlingua'
import { streamSamples } from '../../src/studio/page/lens/lens-samples.ts'
import { buildPlayback } from '../../src/studio/page/streams/build-playback.ts'
import { rows } from '../dialects/dialect-rows.ts'
import { samples } from '../formats/transcripts/sample-files.ts'
import { describeInBrowser } from './studio-browser.ts'

const names = Object.keys(dialects) as DialectName[]

const HOSTILE = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>'

const har = {
  log: {
    entries: [
      {
        request: {
          method: 'POST',
          url: 'https://api.anthropic.com/v1/messages',
          postData: { text: JSON.stringify({ model: 'claude-sonnet-5', max_tokens: 9, messages: [] }) },
        },
        response: { status: 200, content: { text: streamSamples[0]?.text } },
      },
    ],
  },
}

/** Drops files onto an element. */
async function drop(
  page: Page,
  selector: string,
  files: readonly (readonly [name: string, text: string])[],
): Promise<void> {
  const data = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer()
    for (const [name, text] of list) transfer.items.add(new File([text], name))
    return transfer
  }, files)
  await page.dispatchEvent(selector, 'drop', { dataTransfer: data })
}

describeInBrowser('the lens and streams', (studio) => {
  beforeAll(() => studio.open())
  afterAll(() => studio.close())
  let page: Page
  let problems: readonly string[]
  beforeAll(async () => {
    ;({ page, problems } = await studio.newPage('#/lens'))
  })

  const paste = (text: string): Promise<void> => page.locator('#lens-text').fill(text)
  const result = (): ReturnType<Page['locator']> => page.locator('.lens-result')

  test('pasted bodies of every dialect are recognized and shown in all others', async () => {
    for (const name of names) {
      const [, body] = Object.entries(rows[name].requests.requests).at(-1) ?? []
      await paste(JSON.stringify(body))
      await result().getByText(`${name} request`).waitFor()
      for (const other of names) await page.locator(`[data-pane="${other}"] .line`).first().waitFor()
    }
    expect(problems).toEqual([])
  })

  test('edits change every body, losses are shown at their place, and the model can be chosen', async () => {
    const request = { model: 'gpt-5.4', seed: 7, messages: [{ role: 'user', content: 'Weather in Oslo?' }] }
    await paste(JSON.stringify(request))
    const anthropic = page.locator('[data-pane="anthropic"]')
    await anthropic.locator('.line-loss', { hasText: 'seed' }).waitFor()
    expect(await anthropic.locator('.line-loss a').first().getAttribute('href')).toMatch(
      /losses\.html#[\w-]+$/,
    )
    await paste(JSON.stringify(request).replace('Oslo', 'Rome'))
    for (const name of names) await page.locator(`[data-pane="${name}"]`, { hasText: 'Rome' }).waitFor()
    await page.getByLabel('Model of anthropic').fill('claude-opus-5')
    await page.getByLabel('Model of anthropic').press('Enter')
    await anthropic.locator('.line', { hasText: '"claude-opus-5"' }).waitFor()
  })

  test('a broken conversation and broken JSON are repaired with one click', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', tool_calls: [call] },
    ]
    await paste(JSON.stringify({ model: 'gpt-5.4', messages }))
    await result().getByText('The call has no result').waitFor()
    await page.getByRole('button', { name: 'Repair', exact: true }).click()
    await result().getByText('No rule of the format is broken').waitFor()
    await paste(JSON.stringify({ model: 'gpt-5.4', messages: messages.slice(0, 1) }).slice(0, -2))
    await page.getByRole('button', { name: 'Repair the JSON' }).click()
    await result().getByText('openai-chat request').waitFor()
  })

  test('a HAR file, session files and hostile text are shown as text', async () => {
    await drop(page, '.lens', [['calls.har', JSON.stringify(har)]])
    await page.getByLabel('response: POST api.anthropic.com').check()
    await result().getByText('anthropic stream').waitFor()
    await page.getByRole('button', { name: 'Play the stream' }).click()
    await page.locator('[data-part="wire"]', { hasText: 'message_start' }).waitFor()
    expect(await page.locator('.stream-source textarea').inputValue()).toBe(streamSamples[0]?.text)
    await page.goto(`${studio.base}#/lens`)
    const [, session = ''] = samples['Claude Code'] ?? []
    await drop(page, '.lens', [['session.jsonl', typeof session === 'string' ? session : '']])
    await result().getByText('claude-code messages').waitFor()
    await paste(JSON.stringify({ model: 'gpt-5.4', messages: [{ role: 'user', content: HOSTILE }] }))
    await page.locator('[data-pane="gemini"] .line', { hasText: 'onerror' }).waitFor()
    await paste('What is this?')
    await result().getByRole('alert').getByText('contains no conversation').waitFor()
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    expect(problems).toEqual([])
  })

  test('a stream, a line of a log and lines of messages are recognized when they are dropped', async () => {
    const body = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'From a log' }] }
    const inputs: readonly (readonly [file: string, text: string, found: string])[] = [
      ['answer.txt', streamSamples[1]?.text ?? '', 'openai-chat stream'],
      ['service.log', `2026-11-18 [info] sent ${JSON.stringify(body)} in 8 ms`, 'openai-chat request'],
      ['lines.jsonl', body.messages.map((each) => JSON.stringify(each)).join('\n'), 'messages'],
    ]
    for (const [file, text, found] of inputs) {
      await paste('')
      await drop(page, '.lens', [[file, text]])
      await page.getByText(`${file}: `).waitFor()
      await result().locator('.lens-identity', { hasText: found }).waitFor()
      await page.locator('[data-pane="gemini"] .line').first().waitFor()
    }
  })

  test('a body is copied in every form, and a loss links to the text of its rule', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await paste(
      JSON.stringify({ model: 'gpt-5.4', seed: 7, messages: [{ role: 'user', content: 'Copy me' }] }),
    )
    const pane = page.locator('[data-pane="anthropic"]')
    await pane.locator('.line', { hasText: 'Copy me' }).waitFor()
    const copied = { body: '"max_tokens"', curl: 'x-api-key: $ANTHROPIC_API_KEY', sdk: 'new Anthropic()' }
    for (const [form, text] of Object.entries({ ...copied, interlingua: '.generate({' })) {
      await pane.locator(`[data-copy="${form}"]`).click()
      await pane.locator(`[data-copy="${form}"]`, { hasText: 'copied' }).waitFor()
      const clipboard = await page.evaluate(() => navigator.clipboard.readText())
      expect(clipboard).toContain(text)
      expect(clipboard).toContain('Copy me')
    }
    await page.locator('[data-copy="canonical"]').click()
    await page.locator('[data-copy="canonical"]', { hasText: 'copied' }).waitFor()
    const canonical = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as object
    expect(fromJson(canonical, 'request').messages).toHaveLength(1)
    const [rules] = await Promise.all([
      page.context().waitForEvent('page'),
      pane.locator('.line-loss a', { hasText: 'no-field' }).first().click(),
    ])
    await rules.locator('tr:target', { hasText: 'no-field' }).waitFor()
    await rules.close()
  })

  /** Presses a key of the player until it shows something: the player starts again when the chosen format has been read. */
  async function pressUntil(key: string, shown: Locator): Promise<void> {
    await expect
      .poll(
        async () => {
          await page.getByRole('group', { name: 'Playback' }).press(key)
          return shown.count()
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0)
  }

  test('streams of every dialect are played by keyboard, and clients of others receive them', async () => {
    const { steps } = await buildPlayback(streamSamples[0]?.text ?? '')
    await page.goto(`${studio.base}#/streams`)
    for (const name of names) {
      const text = steps.map(({ received }) => received[name] ?? '').join('')
      await drop(page, '.streams', [['stream.txt', text]])
      await expect
        .poll(() => page.locator('.stream-source textarea').inputValue(), { timeout: 60_000 })
        .toBe(text)
      await page.getByLabel('Format of the stream').selectOption(name)
      await page.locator('section', { hasText: 'Arrives' }).getByText(name, { exact: true }).waitFor()
      await pressUntil(
        'End',
        page.locator('.answer-part', { hasText: 'Take a raincoat. I will check tomorrow.' }),
      )
    }
    await pressUntil('Home', page.locator('[data-part="place"]', { hasText: /^0 \// }))
    await page.getByLabel('Speed').selectOption('40')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.locator('[data-part="place"]', { hasText: /^(\d+) \/ \1 / }).waitFor()
    await page.getByLabel('Format of the client').selectOption('anthropic')
    await page.getByRole('slider').press('End')
    await page.locator('[data-part="received"]', { hasText: 'event: message_stop' }).waitFor()
    expect(problems).toEqual([])
  })
})
