import { spawnSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { userInfo } from 'node:os'
import { DatabaseRefusal } from '../database-refusal.ts'

/** A numeric user and group that a process is started as. */
export interface Account {
  uid: number
  gid: number
}

/** Who prepares the data directory and who runs the database. Both absent: the user of this process. */
export interface ServiceAccounts {
  initdb?: Account
  postgres?: Account
}

/** The database's own number when root starts it: `nobody` is shared with other services, who could then read the data. */
export const ownAccount: Account = { uid: 61234, gid: 61234 }

const idOfNobody = (flag: '-u' | '-g'): number => {
  const { stdout, status } = spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' })
  if (status !== 0) {
    throw new DatabaseRefusal(
      'PostgreSQL does not run as root, and there is no user "nobody" to prepare its directory. Start as a normal user, or set DATABASE_URL.',
    )
  }
  return Number(stdout.trim())
}

const ownerOf = (dir: string): Account | null => {
  const stat = lstatSync(dir, { throwIfNoEntry: false })
  return stat ? { uid: stat.uid, gid: stat.gid } : null
}

/**
 * Decides as whom the database runs. PostgreSQL refuses root: root's database runs under its own number, or under the owner of an existing
 * data directory. initdb alone insists on a user that the system knows by name, so for root it runs as `nobody`.
 * @param dataDir the data directory, which need not exist
 * @throws DatabaseRefusal when a data directory belongs to somebody else, or the current user has no name
 */
export const chooseAccounts = (dataDir: string): ServiceAccounts => {
  const owner = ownerOf(dataDir)
  const uid = process.getuid?.() ?? 0
  if (uid === 0) {
    const initdb = { uid: idOfNobody('-u'), gid: idOfNobody('-g') }
    return { initdb, postgres: owner && owner.uid !== 0 ? owner : ownAccount }
  }
  if (owner && owner.uid !== uid) {
    throw new DatabaseRefusal(
      `The data directory ${dataDir} belongs to user ${owner.uid}, but this process runs as user ${uid}. Start as that user, or choose another DATA_DIR.`,
    )
  }
  try {
    userInfo()
  } catch {
    if (!owner) {
      throw new DatabaseRefusal(
        `PostgreSQL can only prepare its directory as a user with a name, and user ${uid} has none. Add the user to /etc/passwd, or set DATABASE_URL.`,
      )
    }
  }
  return {}
}
