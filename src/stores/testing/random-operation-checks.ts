import { assert, AssertionError } from './assertions.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import {
  type ConformanceChecks,
  createTenantName,
  exportLines,
  forEachAtOnce,
  type StorageUnderTest,
} from './check-helpers.ts'
import { listPath, listBranchHeads, type NaiveSession } from './naive-session.ts'
import { compareSearches } from './search-hit-checks.ts'
import {
  ModelledStorage,
  OPERATION_WEIGHTS,
  type RandomOperation,
  toComparable,
} from './random-operations.ts'

/** How many random operations are run, unless the subject says otherwise. */
const DEFAULT_SEEDS = 3
const DEFAULT_OPERATIONS = 60
/** After so many operations, everything is compared and verified; after each one, the current branches. */
const FULL_COMPARISON_INTERVAL = 25
/** Maximum numbers of both comparisons in one run: a comparison takes longer than an operation. */
const MAX_FULL_COMPARISONS = 100
const MAX_BRANCH_COMPARISONS = 1_000
/** One of so many messages is looked up in all sessions. */
const VISIBILITY_SAMPLE = 7
/** Maximum number of operations that are run to shorten those of a failure. */
const MAX_SHORTENING_OPERATIONS = 50_000

/** Creates the checks that any sequence of operations has the same result as if no messages were shared. */
export function createRandomOperationChecks({
  random = {},
  supportsSearch = true,
}: StorageUnderTest): ConformanceChecks {
  const { seeds = DEFAULT_SEEDS, operations = DEFAULT_OPERATIONS, firstSeed = 1 } = random
  const checks = Array.from({ length: seeds }, (_, index) => {
    const seed = firstSeed + index
    const run = (storage: ConversationStorage): Promise<void> =>
      checkOperations({ storage, supportsSearch }, seed, createOperations(seed, operations))
    return [`random operations leave sessions as if they shared nothing (seed ${seed})`, run] as const
  })
  return Object.fromEntries(checks)
}

const KINDS = Object.entries(OPERATION_WEIGHTS).flatMap(([kind, weight]) =>
  Array.from({ length: weight }, () => kind as RandomOperation['kind']),
)

function createOperations(seed: number, count: number): readonly RandomOperation[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => ({
    kind: KINDS[random(KINDS.length)] ?? 'append',
    sessionPick: random(MAX_PICK),
    messagePick: random(MAX_PICK),
    text: 'abc'[random(3)] ?? 'a',
  }))
}

/** Upper limit of the numbers that select sessions and messages; divisible by all small counts. */
const MAX_PICK = 5040

/** Creates a generator of integers below a limit (a 32-bit linear congruential generator; its high bits are used). */
function createRandom(seed: number): (limit: number) => number {
  let state = Math.imul(seed, 2_654_435_769) >>> 0
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

interface Failure {
  readonly error: unknown
  /** Number of operations until the failure. */
  readonly count: number
  readonly log: readonly string[]
}

/** The storage that operations run on. */
interface CheckedStorage {
  readonly storage: ConversationStorage
  readonly supportsSearch: boolean
}

async function checkOperations(
  storage: CheckedStorage,
  seed: number,
  operations: readonly RandomOperation[],
): Promise<void> {
  const failure = await findFailure(storage, operations)
  if (failure === undefined) return
  const shortest = await shortenFailure(storage, operations.slice(0, failure.count), failure)
  const steps = shortest.log.map((step, index) => `  ${index + 1}. ${step}`).join('\n')
  const reason = shortest.error instanceof Error ? shortest.error.message : String(shortest.error)
  throw new AssertionError(`Random operations with seed ${seed} failed after:\n${steps}\n${reason}`)
}

/** Runs operations on an empty tenant until one fails. The tenant is empty again if none does. */
async function findFailure(
  { storage, supportsSearch }: CheckedStorage,
  operations: readonly RandomOperation[],
): Promise<Failure | undefined> {
  const modelled = new ModelledStorage(storage.forTenant(createTenantName()))
  const { length } = operations
  const fullInterval = Math.max(FULL_COMPARISON_INTERVAL, Math.ceil(length / MAX_FULL_COMPARISONS))
  const branchInterval = Math.ceil(length / MAX_BRANCH_COMPARISONS)
  let count = 0
  try {
    for (const operation of operations) {
      count += 1
      await modelled.apply(operation)
      const isFull = count % fullInterval === 0 || count === length
      if (isFull || count % branchInterval === 0) await compareBranches(modelled)
      if (isFull) await compareEverything(modelled)
      if (isFull && supportsSearch) await compareSearches(modelled.storage, modelled.sessions)
    }
    const { storage: own } = modelled
    await own.forget({ tenant: own.tenant })
    assert.deepEqual(await own.verify(), [], 'integrity issues after all sessions were deleted')
    return undefined
  } catch (error) {
    return { error, count, log: modelled.log }
  }
}

/** Leaves out ever smaller groups of operations, as long as the rest fails. */
async function shortenFailure(
  storage: CheckedStorage,
  operations: readonly RandomOperation[],
  found: Failure,
): Promise<Failure> {
  let [current, failure, ran] = [operations, found, 0]
  for (let size = Math.ceil(current.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < current.length && ran < MAX_SHORTENING_OPERATIONS;) {
      const fewer = [...current.slice(0, start), ...current.slice(start + size)]
      const again = await findFailure(storage, fewer)
      ran += again?.count ?? fewer.length
      if (again === undefined) start += size
      else {
        failure = again
        current = fewer.slice(0, again.count)
      }
    }
  }
  return failure
}

/**
 * Compares the current branch of every section of every session. Like the other comparisons, it reads several at once: on a
 * server, waiting for one result after the other takes longer than the operations.
 */
async function compareBranches({ storage, sessions }: ModelledStorage): Promise<void> {
  const sections = [...sessions].flatMap(([id, session]) =>
    [...session.sections].map(([name, section]) => ({ id, name, section })),
  )
  await forEachAtOnce(sections, async ({ id, name, section }) => {
    const stored = Array.from(await storage.messages(id, { section: name }), toComparable)
    const expected = listPath(section).map(([key, { text, note, parent }]) => [key, text, note, parent])
    assert.deepEqual(stored, expected, `messages of the section ${name} of ${id}`)
  })
}

/** Compares everything that can be read, and verifies the storage. */
async function compareEverything({ storage, sessions }: ModelledStorage): Promise<void> {
  const { sessions: listed } = await storage.sessions({ limit: 1000 })
  assert.deepEqual(listed.map(({ id }) => id).toSorted(), [...sessions.keys()].toSorted(), 'session ids')
  const everyId = [...sessions.values()].flatMap((session) => session.ids().map(([id]) => id))
  for (const [id, session] of sessions) {
    await compareSession(storage, id, session)
    const own = new Set(session.ids().map(([message]) => message))
    await forEachAtOnce(
      new Set(everyId.filter((_, index) => index % VISIBILITY_SAMPLE === 0)),
      async (message) =>
        assert.equal((await storage.get(id, message)) !== undefined, own.has(message), `${message} in ${id}`),
    )
    assert.equal((await exportLines(storage, id)).length, own.size + 1, `exported lines of ${id}`)
  }
  assert.deepEqual(await storage.verify(), [], 'integrity issues')
}

async function compareSession(
  storage: ConversationStorage,
  id: string,
  session: NaiveSession,
): Promise<void> {
  assert.deepEqual((await storage.session(id))?.sections, [...session.sections.keys()], `sections of ${id}`)
  await forEachAtOnce(session.sections, async ([name, section]) => {
    const branches = await storage.branches(id, { section: name })
    const heads = branches.map(({ head }) => head).toSorted()
    assert.deepEqual(heads, listBranchHeads(section).toSorted(), `branches of the section ${name} of ${id}`)
    for (const { head, length } of branches) assert.equal(length, listPath(section, head).length)
    assert.equal(
      (await storage.head(id, { section: name })) ?? null,
      section.head,
      `head of ${name} of ${id}`,
    )
  })
  const labels = [...(await storage.labels(id))].map(([message, own]) => [message, own.toSorted()] as const)
  const expected = [...session.labels].map(([message, own]) => [message, [...own].toSorted()] as const)
  assert.deepEqual(new Map(labels), new Map(expected), `labels of ${id}`)
}
