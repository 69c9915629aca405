// @ts-check
// Reads the table of the pages, `docs/navigation.json`, as the sidebar of the site.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toPageName } from './write-reference.js'

/** @typedef {{ text: string, link?: string, collapsed?: boolean, items?: Item[] }} Item */

/** The folder of the generated pages in the site. */
export const API_FOLDER = 'docs/api'

/**
 * @param {string} root folder of the repository
 * @returns {Record<string, Record<string, string[]>>} the paths of the pages, by part and group
 */
export const readNavigation = (root) => JSON.parse(readFileSync(join(root, 'docs/navigation.json'), 'utf8'))

/**
 * Returns what each entry contains, from the table of the reference. Links are left out: they start at another folder.
 * @param {string} root
 * @returns {Map<string, string>}
 */
export function readDescriptions(root) {
  const page = readFileSync(join(root, 'docs/reference/entries.md'), 'utf8')
  const rows = page.matchAll(/^\| `([^`]+)` +\| (.+?) +\|$/gm)
  return new Map(
    [...rows].map(([, entry = '', text = '']) => [entry, text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')]),
  )
}

/**
 * Returns the sidebar of each folder of the site.
 * @param {string} root
 * @returns {Record<string, Item[]>}
 */
export function createSidebars(root) {
  const navigation = readNavigation(root)
  /** @param {string} part */
  const write = (part) =>
    Object.entries(navigation[part] ?? {}).map(([group, pages]) => ({
      text: group,
      items: pages.map((page) => ({ text: readTitle(root, page), link: toLink(page) })),
    }))
  const entries = [...readDescriptions(root).keys()].map((entry) => ({
    text: entry,
    link: toLink(`${API_FOLDER}/${toPageName(entry)}`),
  }))
  return {
    '/': write('Guide'),
    '/docs/reference/': write('Reference'),
    [`/${API_FOLDER}/`]: [{ text: 'Exports', items: entries }],
    '/docs/internals/': write('Internals'),
  }
}

/** @param {string} page */
const toLink = (page) => `/${page.replace(/\.md$/, '')}`

/**
 * Returns the first heading of a page.
 * @param {string} root
 * @param {string} page
 */
function readTitle(root, page) {
  return /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1] ?? page
}
