// @ts-check
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { toHeadingSlug } from '../heading-slug.ts'
import { createSidebars } from '../read-navigation.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Renders a page for the index of the search, without the colors of its code: they take half of the time of a build.
 * @param {string} text
 * @param {import('vitepress').MarkdownEnv} env
 * @param {Parameters<typeof escapeBraces>[0]} renderer
 */
function renderForSearch(text, env, renderer) {
  const { options } = renderer
  const { highlight } = options
  // One renderer serves the pages, too.
  options.highlight = null
  try {
    return renderer.render(text, env)
  } finally {
    options.highlight = highlight
  }
}

/**
 * Keeps braces in the text of a page: the pages are compiled as templates.
 * @param {import('vitepress').MarkdownRenderer} renderer
 */
function escapeBraces({ renderer }) {
  for (const name of ['text', 'code_inline']) {
    const rule = renderer.rules[name]
    renderer.rules[name] = (...parameters) => (rule?.(...parameters) ?? '').replaceAll('{{', '&#123;&#123;')
  }
}

export default defineConfig({
  title: 'interlingua',
  description: 'One conversation, every model.',
  srcDir: 'pages',
  outDir: 'site',
  cacheDir: 'pages/.cache',
  // The site needs no server: its files may be opened below any path.
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: { anchor: { slugify: toHeadingSlug }, config: escapeBraces },
  themeConfig: {
    sidebar: createSidebars(root),
    outline: [2, 3],
    search: { provider: 'local', options: { _render: renderForSearch } },
    nav: [
      { text: 'Guide', link: '/docs/guide/getting-started' },
      { text: 'Reference', link: '/docs/reference/messages' },
      { text: 'Exports', link: '/docs/api/interlingua' },
      { text: 'Internals', link: '/docs/internals/architecture' },
    ],
  },
})
