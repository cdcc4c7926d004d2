import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { BeanstalkConnection } from './beanstalk-connection.js';

it('puts answers together from pieces of any size, in order', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const connection = await BeanstalkConnection.open((server.address() as AddressInfo).port);
  const [socket] = await connected;
  socket.setNoDelay(true);
  const answers = connection.sendAll(['put 0 0 1 1\r\nx\r\n', 'reserve\r\n', 'stats-job 1\r\n']);
  const [received] = (await once(socket, 'data')) as [Buffer];
  expect(received.toString()).toBe('put 0 0 1 1\r\nx\r\nreserve\r\nstats-job 1\r\n');
  for (const byte of 'INSERTED 1\r\nRESERVED 1 5\r\n\r\nab\r\r\nOK 3\r\n---\r\n') socket.write(byte);
  const [inserted, reserved, stats] = await Promise.all(answers);
  expect(inserted).toEqual({ words: ['INSERTED', '1'], body: undefined });
  expect(reserved).toEqual({ words: ['RESERVED', '1', '5'], body: Buffer.from('\r\nab\r') });
  expect(stats!.body!.toString()).toBe('---');

  const lost = connection.send('reserve\r\n');
  socket.destroy();
  await expect(lost).rejects.toThrow(Error);
  server.close();
});
