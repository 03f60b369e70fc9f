// Clients that open more connections than the process may have descriptors.
import { expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { openFolder } from '../cli/shirube.ts'
import { freePort } from '../free-port.ts'
import { MAIN } from '../program.ts'

test('A server out of file descriptors says so, refuses connections, and takes them again', async () => {
  await using folder = await openFolder()
  const port = await freePort()
  const env = { ...process.env, DATABASE_URL: `sqlite:${folder.path}/a.db`, PROBE: 'off', LOG_LEVEL: 'warn' }
  const command = 'ulimit -n 96; exec "$0" "$@"'
  const args = [process.execPath, MAIN, 'serve', '--port', String(port)]
  const server = Bun.spawn(['bash', '-c', command, ...args], { env, stdout: 'ignore', stderr: 'pipe' })
  let logged = ''
  const reading = (async () => {
    for await (const chunk of server.stderr) logged += new TextDecoder().decode(chunk)
  })()
  const isAnswering = () =>
    fetch(`http://127.0.0.1:${port}/healthz`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(2_000),
    }).then(
      ({ ok }) => ok,
      () => false,
    )
  try {
    while (!(await isAnswering())) await Bun.sleep(20)
    const sockets: Socket[] = Array.from({ length: 150 }, () =>
      connect(port, '127.0.0.1').on('error', () => {}),
    )
    while (!logged.includes('file descriptors')) await Bun.sleep(20)
    while (await isAnswering()) await Bun.sleep(20)
    for (const socket of sockets) socket.destroy()
    while (!(await isAnswering())) await Bun.sleep(20)
    expect(logged.match(/out of file descriptors/g)).toHaveLength(1)
  } finally {
    server.kill()
    await Promise.all([server.exited, reading])
  }
})
