/** The longest object or list on one line, without its indentation. */
const WIDTH = 140

/** Returns JSON text with short objects and lists on one line each, so that a change is seen in few lines. */
export function formatJson(value: unknown): string {
  return `${formatValue(value, '')}\n`
}

function formatValue(value: unknown, indent: string): string {
  const short = formatOnOneLine(value)
  if (typeof value !== 'object' || value === null || short.length <= WIDTH) return short
  const inner = `${indent} `
  if (Array.isArray(value)) {
    const items = value.map((each) => `${inner}${formatValue(each, inner)}`)
    return `[\n${items.join(',\n')}\n${indent}]`
  }
  const fields = Object.entries(value).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${formatValue(each, inner)}`,
  )
  return `{\n${fields.join(',\n')}\n${indent}}`
}

function formatOnOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(formatOnOneLine).join(', ')}]`
  const fields = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${formatOnOneLine(each)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
