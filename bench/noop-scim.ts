/**
 * A SCIM server that does as little as can be: it gives every account a number, remembers it, answers 201. `GET /count` tells how many it
 * holds and how many changes came, `DELETE /count` forgets them, `/latency/50` has every later answer wait 50 ms. Run as a process of its own; prints its port.
 */
import { createServer } from 'node:http'

let holds = 0
let patches = 0
let latency = 0

const server = createServer((request, response) => {
  if (request.url === '/count') {
    if (request.method === 'DELETE') holds = patches = 0
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ holds, patches, cpu: process.cpuUsage() }))
    return
  }
  if (request.url?.startsWith('/latency/')) {
    latency = Number(request.url.slice('/latency/'.length))
    response.writeHead(204).end()
    return
  }
  request.resume()
  const answer = () => {
    if (request.method === 'POST') {
      holds += 1
      const body = `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"id":"${holds}","meta":{"resourceType":"User"}}`
      response.writeHead(201, { 'content-type': 'application/scim+json', 'content-length': body.length }).end(body)
    } else if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/scim+json' }).end('{"totalResults":0,"Resources":[]}')
    } else {
      patches += 1
      response.writeHead(204).end()
    }
  }
  request.on('end', () => (latency > 0 ? setTimeout(answer, latency) : answer()))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address ? address.port : ''}\n`)
})
process.stdin.resume().on('end', () => process.exit(0))
