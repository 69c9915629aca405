import { dialects, user } from 'interlingua'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startMockServer } from '../../src/testing/providers/index.ts'
import { describeInBrowser, PLACES, sendMessage } from './studio-browser.ts'

const DIALECTS = Object.keys(dialects)

describeInBrowser('the studio', (studio) => {
  beforeAll(() => studio.open())
  afterAll(() => studio.close())
  afterEach(() => studio.closePages())

  test('the first run shows every view without errors, and requests nothing from elsewhere', async () => {
    const { page, problems, requested } = await studio.newPage()
    await page.getByText('Ask any model').waitFor()
    for (const [place, heading] of PLACES) {
      await page.goto(studio.base + place)
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    }
    await page.getByRole('row').nth(3).waitFor()
    expect(problems).toEqual([])
    expect(requested.filter((url) => !url.startsWith(studio.base))).toEqual([])
    expect(page.url()).not.toContain('token')
  })

  test('the library is loaded by the views that need it, and no more than they need', async () => {
    const { page, requested } = await studio.newPage()
    await page.getByText('Ask any model').waitFor()
    // A digest of eight characters, which may contain hyphens, follows the name.
    const listScripts = (): readonly string[] =>
      requested.filter((url) => url.endsWith('.js')).map((url) => url.replace(/.*\/|-.{8}\.js$/g, ''))
    expect(listScripts()).toEqual(['index'])
    await page.getByRole('link', { name: 'Streams', exact: true }).click()
    await page.locator('[data-part="wire"]', { hasText: 'message_start' }).waitFor()
    expect(listScripts()).toContain('build-playback')
    expect(listScripts()).not.toContain('lens-session')
    await page.getByRole('link', { name: 'Lens', exact: true }).click()
    await page.locator('[data-pane="gemini"] .line').first().waitFor()
    expect(listScripts()).toContain('lens-session')
  })

  test('an edited message becomes a branch, which is compared with the first', async () => {
    const { page } = await studio.newPage()
    await sendMessage(page, 'First question')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Text' }).fill('Second question')
    await page.getByRole('button', { name: 'Send as a branch' }).click()
    await page.getByText('You said: “Second question”').waitFor()
    await page.getByRole('link', { name: 'Branches' }).last().click()
    await page.getByText('4 messages, 2 branches').waitFor()
    await page.getByRole('button', { name: 'Compare' }).click()
    await expect.poll(() => page.getByText('You said: “First question”').count(), { timeout: 60_000 }).toBe(1)
    expect(await page.getByText('You said: “Second question”').count()).toBe(1)
  })

  test('two models are compared: another one answers the same question beside the first answer', async () => {
    const ollama = await startMockServer()
    process.env['OLLAMA_HOST'] = ollama.url
    try {
      const { page } = await studio.newPage()
      await sendMessage(page, 'Hello')
      await page.getByRole('link', { name: 'Branches' }).last().click()
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByText('This conversation has one branch').waitFor()
      const option = page.locator('optgroup[label="ollama"] option').first()
      const name = (await option.getAttribute('value')) ?? ''
      await page.getByRole('combobox', { name: 'Model' }).selectOption(name)
      await page.getByRole('button', { name: 'Ask it too' }).click()
      const sides = page.locator('.compare-side')
      await sides.nth(1).locator('.message-assistant').waitFor()
      await sides.nth(0).locator('.message-assistant .badge', { hasText: 'demo' }).waitFor()
      await sides
        .nth(1)
        .locator('.message-assistant .badge', { hasText: name.split(':')[1] ?? '' })
        .waitFor()
      await sides
        .nth(1)
        .getByText(/1 message, \d+ output tokens/)
        .waitFor()
      await page.getByRole('button', { name: 'Usage' }).click()
      await page.getByRole('row', { name }).waitFor()
    } finally {
      delete process.env['OLLAMA_HOST']
      await ollama.close()
    }
  })

  test('a replayed question whose tool call needs approval is decided in the same view', async () => {
    const { page } = await studio.newPage()
    await sendMessage(page, 'Remind me of the milk')
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('remind failed').first().waitFor()
    await page.getByRole('link', { name: 'Branches' }).last().click()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('region', { name: 'Approval' }).getByRole('button', { name: 'Approve' }).click()
    await page.getByText('reminder: set').filter({ visible: true }).first().waitFor()
    await page.getByText('2 branches').waitFor()
  })

  test('a fork is a conversation of its own, and a search finds messages on all branches', async () => {
    const { page } = await studio.newPage('#/conversations/sample-weather')
    await page.getByText('pack a coat').last().waitFor()
    await page.getByRole('button', { name: 'Fork' }).first().click()
    await page.getByRole('heading', { name: 'Weather, asked of three models (fork)' }).waitFor()
    await page.getByRole('searchbox').fill('Fahrenheit')
    await page.locator('mark').first().click()
    await page.getByText('39 °F').last().waitFor()
  })

  test('an action that fails is reported at its message', async () => {
    const { id } = await studio.storage.createSession({ title: 'Deleted elsewhere' })
    await studio.storage.append(id, [user('Hi')])
    const { page } = await studio.newPage(`#/conversations/${id}`)
    const fork = page.getByRole('button', { name: 'Fork', exact: true })
    await fork.waitFor()
    await studio.storage.deleteSession(id)
    await fork.click()
    await page.getByRole('article').getByRole('alert').getByText('Fork: ').waitFor()
  })

  test('a conversation is renamed and deleted with the keyboard', async () => {
    const { id } = await studio.storage.createSession({ title: 'Old name' })
    await studio.storage.append(id, [user('Hi')])
    const { page, problems } = await studio.newPage(`#/conversations/${id}`)
    await page.getByRole('button', { name: 'Rename: Old name' }).press('Enter')
    await page.getByRole('textbox', { name: 'Title' }).fill('New name')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New name' }).waitFor()
    expect((await studio.storage.session(id))?.title).toBe('New name')
    const remove = page.getByRole('button', { name: 'Delete: New name' })
    await remove.press('Enter')
    await page.getByRole('dialog', { name: 'Delete conversation' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await studio.storage.session(id)).toBeDefined()
    await remove.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByText('Choose a conversation.').waitFor()
    await page.getByRole('link', { name: 'New name' }).waitFor({ state: 'detached' })
    expect(await studio.storage.session(id)).toBeUndefined()
    await page.locator('[type=search]:focus').waitFor()
    expect(problems).toEqual([])
  })

  test('a body that is entered in the lens is shown in every dialect, with its losses', async () => {
    const { page } = await studio.newPage('#/lens')
    const body = { model: 'gpt-5.4', seed: 7, messages: [{ role: 'user', content: 'Seen by everyone' }] }
    await page.getByRole('region', { name: 'Input' }).locator('textarea').fill(JSON.stringify(body))
    const panes = page.locator('.pane-cell').filter({ hasText: 'Seen by everyone' })
    await expect.poll(() => panes.count(), { timeout: 60_000 }).toBeGreaterThanOrEqual(DIALECTS.length)
    await page.getByText('`seed` is not supported by anthropic').first().waitFor({ state: 'attached' })
  })

  test('two tabs work at once, and a tab connects again after a restart', async () => {
    const { page: first } = await studio.newPage('#/gateway')
    const second = await first.context().newPage()
    await second.goto(`${studio.base}#/chat`)
    await sendMessage(second, 'From the second tab')
    await second.getByText('You said: “From the second tab”').waitFor()
    await first.goto(`${studio.base}#/conversations`)
    await first.getByText('From the second tab').first().waitFor()
    await first.goto(`${studio.base}#/gateway`)
    await first.getByRole('row').nth(3).waitFor()
    await studio.restart(() => first.getByText('does not respond').waitFor())
    await first.getByText('belongs to another start').waitFor()
    await second.goto('about:blank')
    await second.goto(studio.url)
    await expect.poll(() => first.getByText('belongs to another start').count(), { timeout: 60_000 }).toBe(0)
  })
})
