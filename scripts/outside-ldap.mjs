// Runs the tests of the LDAP source against Debian's slapd with 10,000 entries, where this machine may install it. Prints what ran, or why nothing did.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ensureInstalled, environment, NODE, ROOT } from './lib/installed.mjs'

const SLAPD = '/usr/sbin/slapd'
const ENTRIES = 10_000
const LONG_AGO = '20200101000000Z'
const ROOT_DN = 'cn=root,dc=example,dc=com'
const READER = 'cn=reader,dc=example,dc=com'
const LIMITED = 'cn=limited,dc=example,dc=com'
const PASSWORD = 'out$ide-secret'

const say = (/** @type {string} */ text) => process.stdout.write(`LDAP source: ${text}\n`)
const give = (/** @type {string} */ why) => {
  say(`not run against slapd, ${why}.`)
  process.exit(0)
}

const install = () => {
  if (existsSync(SLAPD)) return
  if (process.getuid?.() !== 0) give('which is not installed, and only root may install it')
  if (spawnSync('apt-get', ['--version']).status !== 0) give('which is not installed, and this machine has no apt')
  // run level 1: the machine's own instance is not started
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  spawnSync('apt-get', ['update'], { env, stdio: 'ignore' })
  const installed = spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'slapd'], { env, encoding: 'utf8' })
  if (installed.status !== 0 || !existsSync(SLAPD)) give(`which could not be installed: ${installed.stderr.trim().split('\n').at(-1)}`)
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

const answers = (/** @type {number} */ port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const writeConfig = (/** @type {string} */ dir) => {
  // the certificate that the stand-ins of the tests use
  const fixture = readFileSync(path.join(ROOT, 'connectors/src/kit/testing/test-certificate.ts'), 'utf8')
  const [certificate = '', key = ''] = fixture.match(/-----BEGIN[^`]+/g) ?? []
  writeFileSync(path.join(dir, 'cert.pem'), certificate)
  writeFileSync(path.join(dir, 'key.pem'), key, { mode: 0o600 })
  mkdirSync(path.join(dir, 'data'))
  const lines = [
    ...['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`),
    `pidfile ${dir}/slapd.pid`,
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    `TLSCertificateFile ${dir}/cert.pem`,
    `TLSCertificateKeyFile ${dir}/key.pem`,
    'database mdb',
    'maxsize 1073741824',
    'suffix "dc=example,dc=com"',
    `rootdn "${ROOT_DN}"`,
    `rootpw ${PASSWORD}`,
    `directory ${dir}/data`,
    'index objectClass,uid,modifyTimestamp,entryCSN eq',
    `limits dn.exact="${READER}" size.prtotal=unlimited size.soft=unlimited size.hard=unlimited`,
    `limits dn.exact="${LIMITED}" size.soft=700 size.hard=700 size.prtotal=700`,
    'access to attrs=userPassword by anonymous auth by * none',
    'access to * by users read',
  ]
  writeFileSync(path.join(dir, 'slapd.conf'), `${lines.join('\n')}\n`)
}

const stamped = (/** @type {number} */ number) => [
  `entryCSN: 20200101000000.000000Z#${number.toString(16).padStart(6, '0')}#000#000000`,
  `createTimestamp: ${LONG_AGO}`,
  `modifyTimestamp: ${LONG_AGO}`,
]

const entry = (/** @type {string} */ dn, /** @type {string[]} */ lines, /** @type {number} */ number = 0) =>
  [`dn: ${dn}`, ...lines, ...stamped(number)].join('\n')

const person = (/** @type {string} */ uid, /** @type {string} */ unit, /** @type {number} */ number) => {
  const manager = number > 10 ? [`manager: uid=${unit === 'people' ? 'N' : 'P'}${Math.ceil(number / 10)},ou=${unit},dc=example,dc=com`] : []
  const mail = [`mail: ${uid}@example.com`, `mail: a.${uid}@example.com`]
  const lines = [
    'objectClass: inetOrgPerson',
    `uid: ${uid}`,
    `cn: Person ${number}`,
    'sn: "O,Neil; Li"',
    'title:: Wm/DqQ==',
    ...mail,
    ...manager,
  ]
  return entry(`uid=${uid},ou=${unit},dc=example,dc=com`, lines, number)
}

const writeEntries = (/** @type {string} */ file) => {
  const account = (/** @type {string} */ dn) =>
    entry(dn, ['objectClass: organizationalRole', 'objectClass: simpleSecurityObject', `userPassword: ${PASSWORD}`])
  const units = ['people', 'few'].map((unit) => entry(`ou=${unit},dc=example,dc=com`, ['objectClass: organizationalUnit']))
  const people = Array.from({ length: ENTRIES }, (_, index) => person(`N${index + 1}`, 'people', index + 1))
  const few = [1, 2, 3, 4, 5].map((number) => person(`P${number}`, 'few', number))
  const top = entry('dc=example,dc=com', ['objectClass: domain', 'dc: example'])
  writeFileSync(file, `${[top, account(READER), account(LIMITED), ...units, ...people, ...few].join('\n\n')}\n`)
}

ensureInstalled()
install()
const [, version = 'of unknown version'] = /slapd (\d[\w.]*)/.exec(spawnSync(SLAPD, ['-VV'], { encoding: 'utf8' }).stderr) ?? []
const dir = mkdtempSync(path.join(tmpdir(), 'instep-slapd-'))
const clean = () => rmSync(dir, { recursive: true, force: true })
writeConfig(dir)
writeEntries(path.join(dir, 'entries.ldif'))
const conf = path.join(dir, 'slapd.conf')
const loaded = spawnSync('/usr/sbin/slapadd', ['-q', '-f', conf, '-l', path.join(dir, 'entries.ldif')], { encoding: 'utf8' })
if (loaded.status !== 0) {
  clean()
  say(`slapd ${version} took no entries: ${loaded.stderr.trim()}`)
  process.exit(1)
}
const [plain, secure] = [await freePort(), await freePort()]
const addresses = { ldap: `ldap://127.0.0.1:${plain}`, ldaps: `ldaps://127.0.0.1:${secure}` }
// `-d 0` keeps it in the foreground, so that it ends with this process
const slapd = spawn(SLAPD, ['-d', '0', '-f', conf, '-h', `${addresses.ldap}/ ${addresses.ldaps}/`], { stdio: 'ignore' })
let status = 1
try {
  for (let tries = 0; tries < 200 && !(await answers(plain)); tries += 1) await delay(50)
  const given = { ...addresses, entries: ENTRIES, rootDn: ROOT_DN, reader: READER, limited: LIMITED, password: PASSWORD }
  const run = spawnSync(NODE, ['node_modules/vitest/vitest.mjs', 'run', 'connectors/src/ldap/ldap-source.test.ts'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: environment({ OUTSIDE_LDAP: JSON.stringify(given) }),
  })
  status = run.status ?? 1
} finally {
  slapd.kill('SIGKILL')
  clean()
}
say(status === 0 ? `ran against slapd ${version} with ${ENTRIES} entries.` : `failed against slapd ${version}.`)
process.exit(status)
