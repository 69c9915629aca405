import type { Dialect } from 'interlingua'

const example = new URL('../../../examples/own-dialect/parley.js', import.meta.url)
const loaded = (await import(example.href)) as { readonly parleyDialect: Dialect }

/** The dialect of the example, which is a program of its own. */
export const parleyDialect: Dialect = loaded.parleyDialect
