// @ts-check
// Takes the picture of the command line in the documentation: `node scripts/take-terminal-picture.js`. Runs
// `interlingua demo` and renders its output as a terminal shows it. Needs a build and Chromium.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { chromium } from 'playwright-core'

const ESCAPE = '\u001b['
const LINES = 27
const COLUMNS = 110
const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const picture = fileURLToPath(new URL('../docs/images/terminal.png', import.meta.url))

/** The colors of the terminal, by the names of `util.inspect.colors`. @type {Record<string, string>} */
const STYLES = {
  bold: 'font-weight:bold;color:#fff',
  dim: 'color:#8b949e',
  red: 'color:#ff7b72',
  green: 'color:#7ee787',
  yellow: 'color:#e3b341',
  cyan: 'color:#79c0ff',
  magenta: 'color:#d2a8ff',
}

/** What each color code begins or ends, as HTML. @type {Map<number, string>} */
const codes = new Map(
  Object.entries(STYLES).flatMap(([name, style]) => {
    const [begin = 0, end = 0] = inspect.colors[name] ?? []
    return /** @type {[number, string][]} */ ([
      [begin, `<span style="${style}">`],
      [end, '</span>'],
    ])
  }),
)

/** @param {string} text */
function toHtml(text) {
  const [first = '', ...pieces] = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').split(ESCAPE)
  const colored = pieces.map((piece) => {
    const end = piece.indexOf('m')
    return `${codes.get(Number(piece.slice(0, end))) ?? ''}${piece.slice(end + 1)}`
  })
  return first + colored.join('')
}

// The command writes colors only to a terminal.
const terminal = `process.stdout.isTTY = true; process.stdout.columns = ${COLUMNS}`
const { stdout, status, stderr } = spawnSync(
  process.execPath,
  ['--import', `data:text/javascript,${encodeURIComponent(terminal)}`, command, 'demo'],
  { encoding: 'utf8', env: { PATH: process.env['PATH'], TERM: 'xterm-256color' } },
)
if (status !== 0) throw new Error(stderr)
const lines = [
  '\u001b[32m$\u001b[39m npx interlingua demo',
  ...stdout.trimStart().split('\n').slice(0, LINES),
]

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  const page = await browser.newPage({ deviceScaleFactor: 1.25 })
  await page.setContent(
    `<pre style="display:inline-block;margin:0;padding:20px 24px;background:#0d1117;color:#e6edf3;border-radius:8px;
      width:${COLUMNS + 2}ch;white-space:pre-wrap;word-break:break-all;font:14px/1.45 monospace">${toHtml(lines.join('\n'))}</pre>`,
  )
  await page.locator('pre').screenshot({ path: picture, omitBackground: true })
} finally {
  await browser.close()
}
