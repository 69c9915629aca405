// @ts-check
// A change of the sources that breaks a rule.

/**
 * @typedef {object} RuleMutation
 * @property {readonly string[]} rules the rules that the change breaks
 * @property {string} test the file with tests of each of these rules
 * @property {string} file the file to change
 * @property {string} text a text that the file contains once
 * @property {string} replacement
 */

/** @typedef {readonly [rules: string, text: string, replacement: string]} Change */

/**
 * Returns the mutations of a file, of which one test file must notice each.
 * @param {string} file
 * @param {string} test
 * @param {readonly Change[]} changes
 * @returns {readonly RuleMutation[]}
 */
export function mutationsOf(file, test, changes) {
  return changes.map(([rules, text, replacement]) => ({
    rules: rules.split(' '),
    test: `test/${test}`,
    file: `src/${file}`,
    text,
    replacement,
  }))
}

/**
 * Returns the changed source; throws unless the text is found exactly once.
 * @param {string} source
 * @param {RuleMutation} mutation
 */
export function mutate(source, { file, text, replacement }) {
  const count = source.split(text).length - 1
  if (count !== 1) throw new Error(`${file} contains this text ${count} times instead of once:\n${text}`)
  return source.replace(text, () => replacement)
}
