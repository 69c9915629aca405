// @ts-check
// Checks the links of a built site: files and anchors.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * Returns the links of the HTML pages of a folder whose file or anchor does not exist, as `page -> link`.
 * @param {string} folder
 * @returns {string[]}
 */
export function findDeadLinks(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  )
  const known = new Set(files)
  const pages = new Map(
    files
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
  const anchors = new Map(
    [...pages].map(([name, html]) => [
      name,
      new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  )
  return [...pages].flatMap(([name, html]) => {
    const links = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    )
    return [...new Set(links)]
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#').map(decodeURIComponent)
        const target =
          path === '' ? name : path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(name), path)
        const file = target === '' || target.endsWith('/') ? `${target}index.html` : target
        return !known.has(file) || (anchor !== undefined && anchor !== '' && !anchors.get(file)?.has(anchor))
      })
      .map((link) => `${name} -> ${link}`)
  })
}
