import { type DialectName, dialects } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { pairs, subjects } from '../dialect-table.ts'
import { histories } from './histories.ts'
import { answered, elementsOf, send } from './send.ts'
import { ciphersIn, isReadableBy } from './ciphertexts.ts'

describe.each(subjects)('a long conversation of $name', ({ name, dialect }) => {
  test('is valid, and is encoded exactly and without a loss', () => {
    const request = dialect.decodeRequest(histories[name]).value
    const { body, losses } = send(request, name)
    expectSame(body, histories[name])
    expect(losses).toEqual([])
  })
})

describe.each(pairs)('handed over from $name and back', ({ from, to }) => {
  const home = histories[from.name]
  const request = from.dialect.decodeRequest(home).value
  const there = answered(request, to.name)

  test('is valid at every step', () => {
    send(request, to.name, 'model-of-today')
    send(there, from.name)
    send(answered(there, from.name), to.name, 'model-of-today')
    send(answered(answered(there, from.name), to.name), from.name)
  })

  test('is unchanged when it returns', () => {
    const { body } = send(there, from.name)
    const { [from.row.list]: _then, ...settings } = body
    const { [from.row.list]: _before, ...own } = home
    expectSame(settings, own)
    const elements = elementsOf(from.name, home)
    expectSame(elementsOf(from.name, body).slice(0, elements.length), [...elements])
  })

  test('sends ciphertext only to its vendor, and sends it again on return', () => {
    const sealed = ciphersIn(home)
    const readable = sealed.filter((each) => isReadableBy(to.name, each))
    expect(ciphersIn(send(request, to.name, 'model-of-today').body)).toEqual(readable)
    expect(ciphersIn(there)).toEqual(expect.arrayContaining([...sealed]))
    const returned = ciphersIn(there).filter((each) => isReadableBy(from.name, each))
    expect(ciphersIn(send(there, from.name).body)).toEqual(returned)
    const again = answered(there, from.name)
    const own = ciphersIn(again).filter((each) => isReadableBy(to.name, each))
    const { body, losses } = send(again, to.name, 'model-of-today')
    expect(ciphersIn(body)).toEqual(own)
    const aside = ciphersIn(again).length - own.length
    if (aside > 0) expect(losses.length).toBeGreaterThan(0)
  })
})

describe('[r67] all five in turn', () => {
  const names = Object.keys(dialects) as DialectName[]

  test.each(names)('starting with %s, two rounds', (first) => {
    const home = histories[first]
    const order = [...names.slice(names.indexOf(first)), ...names.slice(0, names.indexOf(first))]
    let request = dialects[first].decodeRequest(home).value
    for (const name of [...order, ...order]) {
      const { body } = send(request, name, name === first ? undefined : 'model-of-today')
      const readable = ciphersIn(request).filter((each) => isReadableBy(name, each))
      expect(ciphersIn(body)).toEqual(readable)
      request = answered(request, name)
    }
    const elements = elementsOf(first, home)
    expectSame(elementsOf(first, send(request, first).body).slice(0, elements.length), [...elements])
  })
})
