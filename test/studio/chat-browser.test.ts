import { assistant, toolCall } from 'interlingua'
import type { Page } from 'playwright-core'
import { scripted } from 'interlingua/providers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startMockServer } from '../../src/testing/providers/index.ts'
import { describeInBrowser, sendMessage } from './studio-browser.ts'

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** Pastes or drops a picture. */
async function offerPicture(
  page: Page,
  event: 'paste' | 'drop',
  name: string,
  selector = '.composer textarea',
): Promise<void> {
  const options = { event, name, data: PICTURE }
  await page.locator(selector).evaluate((element, given) => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob(given.data), (character) => character.charCodeAt(0))
    transfer.items.add(new File([bytes], given.name, { type: 'image/png' }))
    const init = { bubbles: true, cancelable: true }
    element.dispatchEvent(
      given.event === 'paste'
        ? new ClipboardEvent('paste', { ...init, clipboardData: transfer })
        : new DragEvent('drop', { ...init, dataTransfer: transfer }),
    )
  }, options)
}

describeInBrowser('the chat', (studio) => {
  beforeAll(() => studio.open())
  afterAll(() => studio.close())
  afterEach(() => studio.closePages())

  test('an answer streams with its reasoning folded, its tool call and the result', async () => {
    const { page } = await studio.newPage()
    await sendMessage(page, 'How is the weather in Oslo?')
    await page.getByText('weather says: city: Oslo, celsius: 4.').waitFor()
    expect(await page.locator('details.reasoning[open]').count()).toBe(0)
    expect(await page.locator('.tool-call').textContent()).toContain('"city": "Oslo"')
    expect(await page.locator('.tool-result').textContent()).toContain('4')
  })

  test.each([
    ['Approve', 'reminder: set'],
    ['Deny', 'remind failed'],
  ])('a call that needs approval waits: %s', async (decision, outcome) => {
    const { page } = await studio.newPage()
    await sendMessage(page, 'Remind me of the milk')
    await page.getByRole('button', { name: decision }).click()
    await page.getByText(outcome).first().waitFor()
  })

  test('several calls are decided one by one', async () => {
    const calls = ['milk', 'bread'].map((note) => toolCall({ name: 'remind', arguments: { note } }))
    const ollama = await startMockServer({ model: scripted([assistant(calls), 'Both are decided.']) })
    process.env['OLLAMA_HOST'] = ollama.url
    try {
      const { page } = await studio.newPage()
      const name = await page.locator('optgroup[label="ollama"] option').first().getAttribute('value')
      await page.getByRole('combobox', { name: 'Model' }).selectOption(name)
      await sendMessage(page, 'Remind me of the milk and the bread')
      const approvals = page.getByRole('region', { name: 'Approval' })
      await approvals.getByRole('button', { name: 'Approve', exact: true }).first().click()
      await approvals.getByText('approved', { exact: true }).waitFor()
      await approvals.getByRole('button', { name: 'Deny', exact: true }).last().click()
      await page.getByText('Both are decided.').waitFor()
      const results = await page.locator('.tool-result').allTextContents()
      expect(results.join('\n')).toMatch(/"set"[^]*milk[^]*not approved/)
    } finally {
      delete process.env['OLLAMA_HOST']
      await ollama.close()
    }
  })

  test('an edit that cannot be sent is not lost', async () => {
    const { page } = await studio.newPage()
    await sendMessage(page, 'Hello')
    await page.getByText('You said: “Hello”').waitFor()
    await page.getByRole('combobox', { name: 'Model' }).selectOption('Other…')
    await page.getByLabel('Name of the model').fill('unknown:unknown')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Edit' }).first().click()
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello, edited')
    await page.getByRole('button', { name: 'Send as a branch' }).click()
    await page.getByRole('alert').getByText('Unknown provider').waitFor()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Text' }).inputValue(), { timeout: 60_000 })
      .toBe('Hello, edited')
  })

  test('a local Ollama is picked up, and the model is switched in the middle', async () => {
    const ollama = await startMockServer()
    process.env['OLLAMA_HOST'] = ollama.url
    try {
      const { page } = await studio.newPage()
      await sendMessage(page, 'Hello')
      const models = page.getByRole('combobox', { name: 'Model' })
      const name = await page.locator('optgroup[label="ollama"] option').first().getAttribute('value')
      await models.selectOption(name)
      await sendMessage(page, 'And you?')
      await expect.poll(() => page.locator('.message-assistant').count(), { timeout: 60_000 }).toBe(2)
      const sent = JSON.stringify(ollama.requests.at(-1))
      expect(sent).toContain('I am the demo model')
    } finally {
      delete process.env['OLLAMA_HOST']
      await ollama.close()
    }
  })

  test('a model that does not exist is reported, and the chat continues with another', async () => {
    const { page } = await studio.newPage()
    await page.getByRole('combobox', { name: 'Model' }).selectOption('Other…')
    await page.getByLabel('Name of the model').fill('unknown:unknown')
    await page.keyboard.press('Tab')
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill('Hello')
    await field.press('Enter')
    await page.getByRole('alert').getByText('Unknown provider').waitFor()
    // Nothing was stored, so the message can be sent again.
    await expect.poll(() => field.inputValue(), { timeout: 60_000 }).toBe('Hello')
    await page.getByRole('combobox', { name: 'Model' }).selectOption('demo')
    await sendMessage(page, 'Hello again')
    await page.getByText('You said: “Hello again”').waitFor()
  })

  test('a running answer is stopped', async () => {
    const { page } = await studio.newPage()
    await page.getByRole('textbox', { name: 'Message' }).fill('word '.repeat(4000))
    await page.keyboard.press('Enter')
    await page.getByText('I am the demo').first().waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    expect((await page.locator('.message-assistant').allTextContents()).join('').length).toBeLessThan(20_000)
  })

  test('an answer is regenerated, and the branches of the question are switched', async () => {
    const { page } = await studio.newPage()
    await sendMessage(page, 'Hello')
    const switches = page.getByRole('group', { name: 'Branches of this message' })
    expect(await switches.count()).toBe(0)
    const answer = page.getByRole('article', { name: 'Model' })
    await answer.getByRole('button', { name: 'Regenerate' }).click()
    await switches.getByText('2 of 2').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Text' }).fill('Good evening')
    await page.getByRole('button', { name: 'Send as a branch' }).click()
    await page.getByText('You said: “Good evening”').waitFor()
    await switches.getByRole('button', { name: 'Previous branch' }).click()
    await page.getByText('You said: “Hello”').waitFor()
    await switches.first().getByText('1 of 2').waitFor()
    // The chat continues on the branch that is shown.
    await sendMessage(page, 'And now?')
    await page.getByText('You said: “And now?”').waitFor()
    expect(await page.getByText('Good evening').count()).toBe(0)
  })

  test('images are pasted and dropped, shown, removed and sent', async () => {
    const ollama = await startMockServer()
    process.env['OLLAMA_HOST'] = ollama.url
    try {
      const { page } = await studio.newPage()
      const name = await page.locator('optgroup[label="ollama"] option').first().getAttribute('value')
      await page.getByRole('combobox', { name: 'Model' }).selectOption(name)
      await offerPicture(page, 'paste', 'pasted.png')
      await offerPicture(page, 'drop', 'dropped.png')
      await offerPicture(page, 'drop', 'unwanted.png', 'h1')
      await page.getByRole('button', { name: /unwanted/ }).click()
      expect(await page.locator('.attachment img').count()).toBe(2)
      await sendMessage(page, 'What is this?')
      await page.getByRole('img', { name: 'pasted.png' }).waitFor()
      await page.getByRole('img', { name: 'dropped.png' }).waitFor()
      expect(JSON.stringify(ollama.requests.at(-1)).split(PICTURE)).toHaveLength(3)
    } finally {
      delete process.env['OLLAMA_HOST']
      await ollama.close()
    }
  })

  test('a restart in the middle of an answer is reported, and the chat continues after it', async () => {
    const { page } = await studio.newPage()
    await page.getByRole('textbox', { name: 'Message' }).fill('word '.repeat(4000))
    await page.keyboard.press('Enter')
    await page.getByText('I am the demo').first().waitFor()
    await studio.restart(() => page.getByText('connects again when it runs').waitFor())
    await page.getByText('belongs to another start').waitFor()
    const second = await page.context().newPage()
    await second.goto(studio.url)
    await page.getByText('belongs to another start').waitFor({ state: 'detached' })
    await sendMessage(page, 'Still there?')
    await page.getByText('You said: “Still there?”').waitFor()
  })

  test('a file is attached, shown and sent', async () => {
    const { page } = await studio.newPage()
    const buffer = Buffer.from(PICTURE, 'base64')
    await page.getByLabel('Files to attach').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer })
    await page.getByText('dot.png').waitFor()
    await sendMessage(page, 'What is this?')
    await page.getByRole('img', { name: 'dot.png' }).waitFor()
  })
})
