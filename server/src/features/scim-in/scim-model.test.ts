import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Connection, ENTERPRISE, pushEvents, type ScimWorld, scimWorld } from './testing/scim-world.ts'

/** A small model of a directory, by what an administrator would say of it: whatever is pushed, the server says the same. */
interface Person {
  userName: string
  active: boolean
  title?: string
  department?: string
  work?: string
  mobile?: string
}

let world: ScimWorld
beforeAll(async () => {
  world = await scimWorld()
})
afterAll(() => world.close())

const word = fc.constantFrom('', 'Baker', 'baker', 'Chef de cuisine', 'é😀', '"quoted"')
const name = fc.constantFrom('ada', 'ADA', 'bob', 'Carla')
const slot = fc.nat(3)

type Change = (person: Person) => void
const patches: readonly [(value: string) => object, (person: Person, value: string) => unknown][] = [
  [(value) => ({ op: 'Replace', path: 'title', value }), (person, value) => set(person, 'title', value)],
  [(value) => ({ op: 'add', value: { Title: value } }), (person, value) => set(person, 'title', value)],
  [() => ({ op: 'remove', path: 'title' }), (person) => set(person, 'title', '')],
  [(value) => ({ op: 'Add', path: 'emails[type eq "work"].value', value }), (person, value) => set(person, 'work', value)],
  [() => ({ op: 'Remove', path: 'emails[type eq "work"]' }), (person) => set(person, 'work', '')],
  [
    (value) => ({ op: 'replace', value: { 'phoneNumbers[type eq "mobile"].value': value } }),
    (person, value) => set(person, 'mobile', value),
  ],
  [(value) => ({ op: 'Add', path: `${ENTERPRISE}:department`, value }), (person, value) => set(person, 'department', value)],
  [(value) => ({ op: 'replace', value: { [ENTERPRISE]: { department: value } } }), (person, value) => set(person, 'department', value)],
  [
    (value) => ({ op: 'Replace', path: 'active', value: value ? 'True' : 'False' }),
    (person, value) => Object.assign(person, { active: value !== '' }),
  ],
]

const set = (person: Person, member: 'title' | 'department' | 'work' | 'mobile', value: string): void => {
  if (value === '') delete person[member]
  else person[member] = value
}

const documentOf = (person: Person) => ({
  userName: person.userName,
  active: person.active,
  ...(person.title ? { title: person.title } : {}),
  ...(person.work ? { emails: [{ type: 'work', value: person.work }] } : {}),
  ...(person.mobile ? { phoneNumbers: [{ type: 'mobile', value: person.mobile }] } : {}),
  ...(person.department ? { [ENTERPRISE]: { department: person.department } } : {}),
})

const step = fc.oneof(
  fc.record({ does: fc.constant('create' as const), name, title: word }),
  fc.record({ does: fc.constant('put' as const), at: slot, name, title: word, active: fc.boolean() }),
  fc.record({
    does: fc.constant('patch' as const),
    at: slot,
    parts: fc.array(fc.tuple(fc.nat(patches.length - 1), word), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    does: fc.constant('patch' as const),
    at: slot,
    parts: fc.array(fc.tuple(fc.nat(patches.length - 1), word), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ does: fc.constant('delete' as const), at: slot }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const sameName = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()

const createModel = (connection: Connection) => {
  const people: { id: string; person: Person }[] = []
  const isTaken = (userName: string, but?: Person) => people.some(({ person }) => person !== but && sameName(person.userName, userName))
  const write = async (call: string, sent: { body: unknown; to: { id: string; person: Person } }, change: Change) => {
    const { id, person } = sent.to
    const next = { ...person }
    change(next)
    const answer = await connection.request(`${call} /Users/${id}`, sent.body)
    if (isTaken(next.userName, person)) {
      expect(answer.status).toBe(409)
      return
    }
    people[people.findIndex((each) => each.id === id)] = { id, person: next }
    expect(answer.status).toBe(200)
  }
  const take = async (given: Step): Promise<void> => {
    if (given.does === 'create') {
      const person: Person = { userName: given.name, active: true, ...(given.title ? { title: given.title } : {}) }
      const answer = await connection.addUser({ userName: given.name, title: given.title })
      expect(answer.status).toBe(isTaken(given.name) ? 409 : 201)
      if (answer.status === 201) people.push({ id: answer.body.id, person })
      return
    }
    const held = people[given.at]
    if (!held) return
    if (given.does === 'delete') {
      expect((await connection.request(`DELETE /Users/${held.id}`)).status).toBe(204)
      people.splice(given.at, 1)
      return
    }
    if (given.does === 'put') {
      const whole: Person = { userName: given.name, active: given.active, ...(given.title ? { title: given.title } : {}) }
      await write('PUT', { body: documentOf(whole), to: held }, (person) => {
        for (const member of ['title', 'department', 'work', 'mobile'] as const) delete person[member]
        Object.assign(person, whole)
      })
      return
    }
    const parts = given.parts.flatMap(([index, value]) => {
      const patch = patches[index]
      return patch ? [{ operation: patch[0](value), change: patch[1], value }] : []
    })
    const body = { Operations: parts.map(({ operation }) => operation) }
    await write('PATCH', { body, to: held }, (person) => {
      for (const { change, value } of parts) change(person, value)
    })
  }
  const expected = () => people.map(({ id, person }) => ({ id, ...documentOf(person) })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { take, expected }
}

it('says of everybody what was pushed last, whatever came in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
      const connection = await world.connect()
      const model = createModel(connection)
      for (const each of steps) {
        await model.take(each)
        const { body } = await connection.request('GET /Users?excludedAttributes=meta')
        const told = body.Resources.map(({ schemas: _, ...resource }) => resource).toSorted((a, b) =>
          String(a['id']) < String(b['id']) ? -1 : 1,
        )
        expect(told).toEqual(model.expected())
      }
      // every event tells of a change, and none of a write that changed nothing
      for (const { type, before, after } of await pushEvents(world, connection))
        if (type === 'scim.user.changed') expect(after).not.toEqual(before)
    }),
    { numRuns: 8, seed: 41 },
  )
}, 60_000)
