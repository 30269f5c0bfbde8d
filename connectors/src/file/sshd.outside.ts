/** The contract of fetched sources against OpenSSH's own server; run by scripts/outside-systems.mjs where the machine has one. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { describeFetchingSource } from '../kit/testing/fetching-source-contract.ts'
import { createSftpSource } from './sftp-source.ts'
import { csvOfPeople, filesIn } from './testing/held-file.ts'
import { shownKey } from './testing/sftp-stand-in.ts'

const SSHD = '/usr/sbin/sshd'

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const untilListening = async (port: number): Promise<void> => {
  for (let look = 0; look < 200; look += 1) {
    const answers = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (answers) return
    await wait(50)
  }
  throw new Error('sshd does not listen')
}

const startSshd = async (folder: string) => {
  const [host, right, wrong] = [1, 2, 3].map(() => ssh2.utils.generateKeyPairSync('ed25519'))
  if (!host || !right || !wrong) throw new Error('no keys')
  const port = await freePort()
  const at = (name: string) => path.join(folder, name)
  writeFileSync(at('host'), host.private, { mode: 0o600 })
  writeFileSync(at('authorized'), `${right.public}\n`, { mode: 0o600 })
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${at('host')}`,
    `AuthorizedKeysFile ${at('authorized')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'PermitRootLogin yes',
    'Subsystem sftp internal-sftp',
  ]
  writeFileSync(at('config'), `${lines.join('\n')}\n`)
  // where it gives up its rights
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const server = spawn(SSHD, ['-D', '-e', '-f', at('config')], { stdio: 'ignore' })
  await untilListening(port)
  return { port, hostKey: shownKey(host.public), right: right.private, wrong: wrong.private, stop: () => server.kill() }
}

describeFetchingSource('OpenSSH', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'instep-sshd-'))
  const data = path.join(folder, 'data')
  mkdirSync(data)
  const sshd = await startSshd(folder)
  const put = filesIn(data)
  const open = (privateKey: string, port = sshd.port) => {
    const properties = { delivery: 'sftp', host: '127.0.0.1', port, username: userInfo().username, signIn: 'key', folder: data }
    const options = { allowPrivate: true, hostKey: sshd.hostKey, stableSeconds: 0, pause: async () => {} }
    return createSftpSource({ properties, secrets: { privateKey } }, options)
  }
  return {
    hold: async (people) => put(csvOfPeople(people)),
    open: () => open(sshd.right),
    openWithWrongCredentials: () => open(sshd.wrong),
    openUnreachable: () => open(sshd.right, 9),
    archived: async () => (existsSync(path.join(data, 'archive')) ? readdirSync(path.join(data, 'archive')) : []),
    close: async () => {
      sshd.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
})
