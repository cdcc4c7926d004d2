import { execFile } from 'node:child_process';
import { chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StoreOpenError } from '@holdfast/contract';
import pg from 'pg';
import { expect, it } from 'vitest';
import { openPostgresStore } from '../src/index.js';
import { type Identity, NO_CLUSTER, OwnCluster } from './own-cluster.js';

const run = promisify(execFile);
const JOB = { queue: 'mail', name: 'send', payload: '{}' };

const hasOpenssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
);

/** A certificate that only its holder vouches for, and no way into the server but by TLS. */
async function selfSigned(directory: string, { uid, gid }: Identity): Promise<void> {
  const [key, certificate] = [join(directory, 'server.key'), join(directory, 'server.crt')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...subject,
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  if (uid !== undefined) for (const file of [key, certificate]) await chown(file, uid, gid ?? uid);
  await writeFile(join(directory, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 trust\n');
}

it('works over TLS, refuses a certificate that nobody vouches for, and says so', {
  timeout: 60_000,
}, async (context) => {
  if (!hasOpenssl) return context.skip('no openssl, which makes the certificate');
  const cluster = await OwnCluster.start(['ssl=on'], selfSigned);
  if (cluster === undefined) return context.skip(NO_CLUSTER);
  try {
    const ca = await readFile(join(cluster.directory, 'server.crt'), 'utf8');
    const connection = { connectionString: cluster.url, ssl: { ca } };
    const store = await openPostgresStore({ connection });
    const [enqueued] = await store.enqueue([JOB]);
    const claim = { queues: ['mail'], limit: 1, leaseMs: 60_000, worker: 'one' };
    expect(await store.claim(claim)).toMatchObject([{ id: enqueued?.id }]);
    const client = new pg.Client(connection);
    await client.connect();
    const { rows } = await client.query(
      "select ssl, count(*)::int4 as count from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'holdfast' group by ssl",
    );
    await client.end();
    expect(rows).toEqual([{ ssl: true, count: expect.any(Number) }]);
    await store.close();

    const unknown = openPostgresStore({ connection: { connectionString: cluster.url, ssl: true } });
    await expect(unknown).rejects.toThrow(StoreOpenError);
    await expect(unknown).rejects.toThrow(/self-signed certificate/);
    await expect(openPostgresStore({ connectionString: cluster.url })).rejects.toThrow(/28000.*no encryption/);
  } finally {
    await cluster.close();
  }
});
