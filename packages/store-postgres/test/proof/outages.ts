import { setTimeout as pause } from 'node:timers/promises';
import { TcpProxy } from '@holdfast/store-trials';
import { OwnCluster } from '../own-cluster.js';
import { PostgresRig } from '../test-database.js';
import { endure, type OutageFigures } from './outage.js';

const OPTIONS = { retention: { completed: { count: 1_000_000 } }, sweepMs: 100, connectTimeoutMs: 1000 };
const KILLS = 5;
const KILL_MS = 100;

/** Every connection of the application is ended by the server, again and again. */
export async function allConnectionsKilled(url: string): Promise<OutageFigures> {
  return withRig(url, async (rig) => {
    const named = new URL(url);
    named.searchParams.set('application_name', rig.schema);
    const app = await rig.open({ connectionString: named.href });
    const kill = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1';
    return endure(app, rig, async () => {
      for (let kills = 0; kills < KILLS; kills++) {
        await rig.query(kill, [rig.schema]);
        await pause(KILL_MS);
      }
    });
  });
}

/** The server cannot be reached for a while: a failover, a pulled cable. */
export async function cutOff(url: string, forMs: number): Promise<OutageFigures> {
  const { proxy, url: through } = await TcpProxy.before(url, 5432);
  try {
    return await withRig(url, async (rig) => {
      const app = await rig.open({ connectionString: through });
      return endure(app, rig, async () => {
        proxy.down();
        await pause(forMs);
        proxy.up();
      });
    });
  } finally {
    await proxy.close();
  }
}

/** A server crashes and is started again. @returns `undefined` where none of one's own can be started */
export async function serverCrashed(downMs: number): Promise<OutageFigures | undefined> {
  const cluster = await OwnCluster.start();
  if (cluster === undefined) return undefined;
  try {
    return await withRig(cluster.url, async (rig) => {
      const app = await rig.open();
      return endure(app, rig, async () => {
        await cluster.down();
        await pause(downMs);
        await cluster.up();
      });
    });
  } finally {
    await cluster.close();
  }
}

async function withRig(url: string, use: (rig: PostgresRig) => Promise<OutageFigures>): Promise<OutageFigures> {
  const rig = new PostgresRig(url, OPTIONS);
  try {
    return await use(rig);
  } finally {
    await rig.close();
  }
}
