import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Body } from './bodies.js'
import { startProgram } from './processes.js'

/** nginx with one process, sending the same bytes from files. */
export async function startNginx(folder: string, bodies: readonly Body[]) {
  const port = await freePort()
  const work = join(folder, 'nginx')
  mkdirSync(work, { recursive: true })
  const file = join(work, 'nginx.conf')
  writeFileSync(file, configuration({ work, folder, port, bodies }))
  const running = startProgram('nginx', ['-e', join(work, 'error.log'), '-c', file])
  const url = `http://127.0.0.1:${port}`
  const etags = new Map<string, string>()
  for (const { name } of bodies) etags.set(name, await etagOnceUp(`${url}/${name}`))
  return { ...running, url, etags }
}

const configuration = (given: { work: string; folder: string; port: number; bodies: readonly Body[] }): string => `
daemon off;
master_process off;
pid ${given.work}/nginx.pid;
error_log ${given.work}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush off;
  tcp_nodelay on;
  keepalive_requests 1000000000;
  types { }
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${given.work}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${given.port};
    root ${given.folder};
    ${given.bodies.map(location).join('\n    ')}
  }
}
`

function location({ name, contentType, encoding }: Body): string {
  const encoded = encoding === 'identity' ? '' : ` add_header content-encoding ${encoding};`
  return `location = /${name} { default_type "${contentType}";${encoded} }`
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A server that is a program says nothing when it is up, so it is asked until it answers. */
async function etagOnceUp(url: string, tries = 100): Promise<string> {
  try {
    const answer = await fetch(url, { method: 'HEAD' })
    return answer.headers.get('etag') ?? ''
  } catch (error) {
    if (tries === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 50))
    return etagOnceUp(url, tries - 1)
  }
}
