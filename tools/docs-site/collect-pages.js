// @ts-check
// Copies the Markdown of the repository into one folder, with the files that it links to as pages of their own.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, posix } from 'node:path'

/** Languages of the files that pages link to, by extension. @type {Record<string, string>} */
const LANGUAGES = { '.js': 'js', '.json': 'json', '.yaml': 'yaml', '': 'docker' }

/**
 * Copies the pages to `target`. The README becomes the first page of the site.
 * @param {string} root folder of the repository
 * @param {readonly string[]} pages paths from the root
 * @param {string} target
 */
export function collectPages(root, pages, target) {
  /** @type {Set<string>} */
  const files = new Set()
  for (const page of ['README.md', ...pages]) {
    const text = readFileSync(join(root, page), 'utf8')
    write(target, page === 'README.md' ? 'index.md' : page, convertLinks(root, page, text, files))
  }
  for (const file of files) write(target, `${file}.md`, writeFilePage(root, file))
}

/**
 * Changes links to files of the repository that are no pages into links to pages of their text.
 * @param {string} root
 * @param {string} page
 * @param {string} text
 * @param {Set<string>} files receives the files
 */
function convertLinks(root, page, text, files) {
  return text
    .replace(/^<!--.*-->\n+/, '')
    .replaceAll(/\]\(([^)#:\s]+)(#[^)\s]*)?\)/g, (link, target, anchor = '') => {
      const file = posix.join(posix.dirname(page), target)
      if (file === 'README.md') return `](${posix.relative(posix.dirname(page), 'index.md')}${anchor})`
      if (['.md', '.png'].includes(extname(target))) return link
      files.add(file)
      if (statSync(join(root, file)).isDirectory())
        for (const name of list(root, file)) if (!name.endsWith('.md')) files.add(posix.join(file, name))
      return `](${target}.md)`
    })
}

/**
 * Returns a page with the text of a file, or with the list of a folder.
 * @param {string} root
 * @param {string} file
 */
function writeFilePage(root, file) {
  const path = join(root, file)
  if (statSync(path).isDirectory()) {
    const folder = posix.basename(file)
    const rows = list(root, file).map(
      (name) => `- [${name}](${folder}/${name.endsWith('.md') ? name : `${name}.md`})`,
    )
    return `# ${file}\n\n${rows.join('\n')}\n`
  }
  return `# ${file}\n\n\`\`\`\`${LANGUAGES[extname(file)] ?? 'text'}\n${readFileSync(path, 'utf8')}\`\`\`\`\n`
}

/**
 * @param {string} root
 * @param {string} folder
 */
const list = (root, folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((each) => each.isFile() && /\.(?:js|md)$/.test(each.name))
    .map(({ name }) => name)

/**
 * @param {string} target
 * @param {string} page
 * @param {string} text
 */
function write(target, page, text) {
  const path = join(target, page)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
