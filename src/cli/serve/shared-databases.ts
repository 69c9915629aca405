interface Database {
  close(): Promise<void>
}

interface OpenDatabase {
  readonly opening: Promise<Database>
  /** The number of configurations that use it. */
  uses: number
}

/** The databases that one configuration uses, by their sections of the file. */
export type DatabaseUse = Set<string>

/** Opens the databases of configurations that follow each other: each is opened once, and closed after its last use. */
export class SharedDatabases {
  readonly #databases = new Map<string, OpenDatabase>()

  /** Returns the database of a section of the file. The same section has the same database. */
  async open<T extends Database>(section: unknown, used: DatabaseUse, open: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(section)
    const database = this.#databases.get(key) ?? { opening: open(), uses: 0 }
    this.#databases.set(key, database)
    if (!used.has(key)) database.uses += 1
    used.add(key)
    return database.opening as Promise<T>
  }

  /** Ends the use by a configuration, and closes what no other one uses. */
  async release(used: DatabaseUse): Promise<void> {
    const keys = [...used]
    used.clear()
    for (const key of keys) {
      const database = this.#databases.get(key)
      if (database === undefined || --database.uses > 0) continue
      this.#databases.delete(key)
      await closeDatabase(database)
    }
  }

  /** Closes all databases. */
  async close(): Promise<void> {
    const databases = [...this.#databases.values()]
    this.#databases.clear()
    for (const database of databases) await closeDatabase(database)
  }
}

/** One that could not be opened need not be closed. */
async function closeDatabase({ opening }: OpenDatabase): Promise<void> {
  const database = await opening.catch(() => undefined)
  await database?.close()
}
