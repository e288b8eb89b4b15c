// A way to the hub that can be cut, and counts who takes it.
import { connect, createServer } from 'node:net';
import { once } from 'node:events';

export async function cuttable(target) {
  const { hostname, port } = new URL(target);
  const open = new Set();
  let taken = 0;

  const server = createServer((client) => {
    taken++;
    const hub = connect(Number(port), hostname);
    for (const [from, to] of [[client, hub], [hub, client]]) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${server.address().port}`,
    taken: () => taken,
    cut: () => open.forEach((socket) => socket.destroy()),
    close: () => {
      open.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}
