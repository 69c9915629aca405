/** The error that getters, methods and iterators of the values throw. */
export const CALLER_ERROR: Error = new Error('an error of the caller')

/** The values that throw themselves: an error for them is due to the caller's own code. */
export const THROWING_VALUES: ReadonlySet<string> = new Set([
  'a getter that throws',
  'a proxy that throws',
  'a revoked proxy',
  'toString that throws',
  'toJSON that throws',
  'an iterator that throws',
  'an async iterator that throws',
])

/** One value of each kind, for laws that have many slots to fill. */
const REPRESENTATIVE_VALUES: ReadonlySet<string> = new Set([
  'undefined',
  'null',
  'a number',
  'a text',
  'a symbol',
  'a function',
  'an object without a prototype',
  'a list of null',
  'a list that contains itself',
  'a deep object',
  'an absurd date',
  'a revoked proxy',
  'toString that returns an object',
  'a message without parts',
])

/** Returns one value of each kind; all of them in a soak. */
export function selectHostileValues(): ReadonlyMap<string, unknown> {
  const all = createHostileValues()
  if (process.env['SOAK']) return all
  return new Map([...all].filter(([name]) => REPRESENTATIVE_VALUES.has(name)))
}

/** Values that no compiler lets through, and that JavaScript callers and attackers pass anyway, by name. */
export function createHostileValues(): ReadonlyMap<string, unknown> {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  const throwing = {
    get role(): never {
      throw CALLER_ERROR
    },
  }
  return new Map<string, unknown>([
    ['undefined', undefined],
    ['null', null],
    ['a number', 42],
    ['not a number', Number.NaN],
    ['a bigint', 10n],
    ['true', true],
    ['an empty text', ''],
    ['a text', 'hostile'],
    ['a lone surrogate', '\uD800'],
    ['a long text', 'x'.repeat(process.env['SOAK'] ? 200_000 : 20_000)],
    ['a symbol', Symbol('hostile')],
    ['a function', () => 'hostile'],
    ['an empty object', {}],
    ['an object without a prototype', Object.create(null)],
    ['an empty list', []],
    ['a list of null', [null]],
    ['a sparse list', Array.from({ length: 3 })],
    ['a cyclic object', cyclic],
    ['a list that contains itself', createCyclicList()],
    ['a deep object', nest(10_000, (inner) => ({ content: inner }))],
    ['a deep list', nest(10_000, (inner) => [inner])],
    ['an invalid date', new Date(Number.NaN)],
    ['an absurd date', new Date(8.64e15)],
    ['a map', new Map([['a', 1]])],
    ['bytes', new Uint8Array([0xff, 0xfe])],
    ['an error', new Error('hostile')],
    ['a promise', Promise.resolve(1)],
    ['a regular expression', /hostile/],
    ['a getter that throws', throwing],
    ['a proxy that throws', createThrowingProxy()],
    ['a revoked proxy', createRevokedProxy()],
    ['toString that throws', { toString: throwHostile, valueOf: throwHostile }],
    ['toString that returns an object', { toString: () => ({}) }],
    ['toJSON that throws', { toJSON: throwHostile }],
    ['an iterator that throws', { [Symbol.iterator]: throwHostile }],
    ['an async iterator that throws', { [Symbol.asyncIterator]: throwHostile }],
    ['hostile keys', JSON.parse('{"__proto__":{"a":1},"constructor":1,"then":1}')],
    ['a message without parts', { role: 'user', content: [null] }],
    ['a message with odd fields', { role: Symbol('role'), id: 1n, content: [{ type: 'text' }] }],
    ['a request without messages', { model: '\uD800', messages: [null], tools: [null] }],
    ['a response without candidates', { candidates: [null], choices: [null], content: [null] }],
  ])
}

function throwHostile(): never {
  throw CALLER_ERROR
}

/** Nests a value without recursion. */
function nest(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'end'
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

function createCyclicList(): unknown {
  const list: unknown[] = []
  list.push(list)
  return list
}

function createThrowingProxy(): unknown {
  const handler = new Proxy({}, { get: () => throwHostile })
  return new Proxy({}, handler)
}

function createRevokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
