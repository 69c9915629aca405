// @ts-check
// Writes one Markdown page for each entry of the package: every export with its declaration, comment and examples.

/** @typedef {import('./read-exports.js').Entry} Entry */
/** @typedef {import('./read-exports.js').Export} Export */

/**
 * Returns the name of the page of an entry: `interlingua/stores/jsonl` is `stores/jsonl.md`.
 * @param {string} entry
 */
export const toPageName = (entry) => `${entry.replace(/^interlingua\/?/, '') || 'interlingua'}.md`

/**
 * Returns the pages by name.
 * @param {readonly Entry[]} entries
 * @param {ReadonlyMap<string, string>} descriptions what each entry contains
 * @returns {Map<string, string>}
 */
export function writeReference(entries, descriptions) {
  const findLink = createLinks(entries)
  return new Map(
    entries.map((entry) => {
      const values = entry.exports.filter(({ kind }) => kind === 'value')
      const types = entry.exports.filter(({ kind }) => kind === 'type')
      const write = (/** @type {Export} */ each) => writeExport(each, findLink(entry, each))
      const page = [
        `# ${entry.name}`,
        descriptions.get(entry.name) ?? '',
        toCode('js', writeImport(entry.name, values)),
        ...(values.length > 0 ? ['## Values', ...values.map(write)] : []),
        ...(types.length > 0 ? ['## Types', ...types.map(write)] : []),
      ]
      return [toPageName(entry.name), `${page.join('\n\n')}\n`]
    }),
  )
}

/**
 * @param {string} entry
 * @param {readonly Export[]} values
 */
function writeImport(entry, values) {
  const names = values.slice(0, 3).map(({ name }) => name)
  const more = values.length > names.length ? ', …' : ''
  return names.length > 0
    ? `import { ${names.join(', ')}${more} } from '${entry}'`
    : `import type {} from '${entry}'`
}

/**
 * @param {Export} each
 * @param {readonly string[]} links
 */
function writeExport({ name, comment, code, examples }, links) {
  return [
    `### ${name} {#${name}}`,
    toProse(comment),
    toCode('ts', code),
    ...(links.length > 0 ? [`Types: ${links.join(', ')}`] : []),
    ...examples.map((example) => toCode('js', example)),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/**
 * Returns a function that links to the types of a declaration: on the same page if the entry exports them, else on the page
 * of the first entry that does.
 * @param {readonly Entry[]} entries
 */
function createLinks(entries) {
  /** @type {Map<object, { entry: string, name: string }[]>} */
  const places = new Map()
  for (const { name: entry, exports } of entries)
    for (const { symbol, name } of exports)
      places.set(symbol, [...(places.get(symbol) ?? []), { entry, name }])
  return (/** @type {Entry} */ { name: from }, /** @type {Export} */ { symbol, mentions }) =>
    mentions.flatMap((mention) => {
      const found = places.get(mention) ?? []
      const place = found.find(({ entry }) => entry === from) ?? found[0]
      if (mention === symbol || place === undefined) return []
      const page = place.entry === from ? '' : `${toRelative(from)}${toPageName(place.entry)}`
      return [`[\`${place.name}\`](${page}#${place.name})`]
    })
}

/** @param {string} entry */
const toRelative = (entry) => '../'.repeat(toPageName(entry).split('/').length - 1)

/**
 * @param {string} language
 * @param {string} code
 */
const toCode = (language, code) => `\`\`\`${language}\n${code}\n\`\`\``

/**
 * Returns a doc comment as Markdown: `{@link name}` becomes code, and `<` outside of code is text.
 * @param {string} comment
 */
function toProse(comment) {
  return comment
    .replaceAll(/\{@link (\w+)[^}]*\}/g, '`$1`')
    .split(/(`[^`]*`)/)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replaceAll('<', '&lt;')))
    .join('')
}
