/** A custom tool's free text is told as the JSON of `{ input }`: these stand around it. */
const OPENING = '{"input":"'

/** What ends it. */
export const customEnding = '"}'

/** A piece of free text as a piece of that JSON. */
export function customPiece(text: string, begun: boolean): string {
  return (begun ? '' : OPENING) + JSON.stringify(text).slice(1, -1)
}

/** The free text in a piece of that JSON. */
export function customText(json: string): string {
  if (json === customEnding) return ''
  const opened = json.startsWith(OPENING)
  const inner = opened ? json.slice(OPENING.length) : json
  const text = opened && inner.endsWith(customEnding) ? inner.slice(0, -customEnding.length) : inner
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text // a piece that was cut inside of an escape
  }
}
