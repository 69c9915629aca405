// @ts-check
// Draws lines on two logarithmic axes as SVG, which is readable on light and on dark pages.

/** @typedef {{ name: string, points: readonly (readonly [x: number, y: number])[] }} Line */
/** @typedef {{ title: string, xLabel: string, yLabel: string, lines: readonly Line[] }} Plot */

const WIDTH = 720
const HEIGHT = 440
const LEFT = 72
const RIGHT = 150
const TOP = 44
const BOTTOM = 56
/** The distance of the names at the ends of the lines. */
const NAME_HEIGHT = 16

/** Colors with enough contrast on white and on black. */
const colors = ['#d1495b', '#2a7fb8', '#2e9e6b', '#b07d10', '#8e6bc4', '#c4642d', '#6b7f8c']

/** The powers of ten around some values. @param {readonly number[]} values */
function findDecades(values) {
  const first = Math.floor(Math.log10(Math.min(...values)))
  const last = Math.ceil(Math.log10(Math.max(...values)))
  return Array.from({ length: Math.max(1, last - first) + 1 }, (_, index) => 10 ** (first + index))
}

/**
 * Returns a function from values to positions.
 * @param {readonly number[]} decades
 * @param {number} from
 * @param {number} to
 */
function createScale(decades, from, to) {
  const first = Math.log10(decades[0] ?? 1)
  const last = Math.log10(decades.at(-1) ?? 10)
  return (/** @type {number} */ value) => from + ((Math.log10(value) - first) / (last - first)) * (to - from)
}

/** @param {number} value */
const formatTick = (value) => (value >= 1 ? value.toLocaleString('en') : String(Number(value.toPrecision(1))))

/** @param {string} text */
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The names at the ends of the lines, moved apart. @param {readonly { name: string, y: number, color: string }[]} ends */
function placeNames(ends) {
  let below = -Infinity
  return ends
    .toSorted((a, b) => a.y - b.y)
    .map(({ name, y, color }) => {
      below = Math.max(y, below + NAME_HEIGHT)
      return `<text x="${WIDTH - RIGHT + 10}" y="${below.toFixed(1)}" fill="${color}" dominant-baseline="middle">${escape(name)}</text>`
    })
}

/**
 * Returns a plot as SVG.
 * @param {Plot} plot
 */
export function drawPlot({ title, xLabel, yLabel, lines }) {
  const points = lines.flatMap((line) => line.points)
  const xDecades = findDecades(points.map(([x]) => x))
  const yDecades = findDecades(points.map(([, y]) => y))
  const toX = createScale(xDecades, LEFT, WIDTH - RIGHT)
  const toY = createScale(yDecades, HEIGHT - BOTTOM, TOP)
  const right = WIDTH - RIGHT
  const bottom = HEIGHT - BOTTOM
  const grid = [
    ...xDecades.map(
      (x) =>
        `<path class="grid" d="M${toX(x).toFixed(1)} ${TOP}V${bottom}"/><text x="${toX(x).toFixed(1)}" y="${bottom + 20}" text-anchor="middle">${formatTick(x)}</text>`,
    ),
    ...yDecades.map(
      (y) =>
        `<path class="grid" d="M${LEFT} ${toY(y).toFixed(1)}H${right}"/><text x="${LEFT - 8}" y="${toY(y).toFixed(1)}" text-anchor="end" dominant-baseline="middle">${formatTick(y)}</text>`,
    ),
  ]
  const drawn = lines.map((line, index) => {
    const places = line.points.map(([x, y]) => `${toX(x).toFixed(1)} ${toY(y).toFixed(1)}`)
    const color = colors[index % colors.length]
    const dots = places.map((place) => `<circle cx="${place.replace(' ', '" cy="')}" r="3" fill="${color}"/>`)
    return `<path d="M${places.join('L')}" fill="none" stroke="${color}" stroke-width="${index === 0 ? 3 : 1.6}"/>${dots.join('')}`
  })
  const ends = lines.map(({ name, points: own }, index) => ({
    name,
    y: toY(own.at(-1)?.[1] ?? 1),
    color: colors[index % colors.length] ?? '',
  }))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escape(title)}">
<style>text{font:13px system-ui,sans-serif}text:not([fill]){fill:#57606a}.title{font-weight:600;font-size:15px}.grid{stroke:#8b949e;stroke-opacity:.3}@media(prefers-color-scheme:dark){text:not([fill]){fill:#9da7b1}}</style>
<text class="title" x="${LEFT}" y="24">${escape(title)}</text>
${grid.join('\n')}
<text x="${(LEFT + right) / 2}" y="${HEIGHT - 12}" text-anchor="middle">${escape(xLabel)}</text>
<text transform="translate(18 ${(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">${escape(yLabel)}</text>
${drawn.join('\n')}
${placeNames(ends).join('\n')}
</svg>
`
}
