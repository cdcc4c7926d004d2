import { describe, expect, it } from 'vitest';
import { QueueNames } from './queue-names.js';
import type { Queries } from './statements.js';

/** The table of queues, as it is committed. */
class QueueTable implements Queries {
  #lastId = 0;
  readonly rows = new Map<string, number>();

  run(name: string, values: readonly unknown[]): Promise<never[]> {
    return this.answer(name, values, this.rows);
  }

  /** A transaction that makes queues of its own; nobody commits it. */
  transaction({ seesOthers = true } = {}): Queries {
    const own = new Map<string, number>();
    const seen = () => new Map([...(seesOthers ? this.rows : []), ...own]);
    return {
      run: (name: string, values: readonly unknown[]) => {
        if (name === 'addQueues') this.#add(values, own);
        return this.answer(name === 'addQueues' ? 'nothing' : name, values, seen());
      },
    };
  }

  async answer(name: string, values: readonly unknown[], rows: Map<string, number>): Promise<never[]> {
    if (name === 'addQueues') this.#add(values, rows);
    if (name !== 'queueIds') return [];
    const [names] = values as [string[]];
    return [...rows].flatMap(([queue, id]) => (names.includes(queue) ? [{ id, name: queue }] : [])) as never[];
  }

  #add([names]: readonly unknown[], rows: Map<string, number>): void {
    for (const name of names as string[]) if (!this.rows.has(name)) rows.set(name, ++this.#lastId);
  }
}

describe('queues in a transaction of the caller, without a connection that the store keeps', () => {
  it('are forgotten with it, also where it was asked for them twice', async () => {
    const table = new QueueTable();
    const names = new QueueNames(table);
    const rolledBack = table.transaction();
    expect([...(await names.idsIn(rolledBack, undefined, ['mail']))]).toEqual([['mail', 1]]);
    expect([...(await names.idsIn(rolledBack, undefined, ['mail']))]).toEqual([['mail', 1]]);
    expect([...(await names.idsOf(['mail']))]).toEqual([['mail', 2]]);
    expect(table.rows).toEqual(new Map([['mail', 2]]));
  });

  it('are those that are there, and are not made again', async () => {
    const table = new QueueTable();
    await table.run('addQueues', [['mail']]);
    const ids = await new QueueNames(table).idsIn(table.transaction(), undefined, ['mail', 'new']);
    expect([...ids]).toEqual([
      ['mail', 1],
      ['new', 2],
    ]);
  });

  it('are refused where it does not see them, because they are newer: their jobs would be in no queue', async () => {
    const table = new QueueTable();
    const early = table.transaction({ seesOthers: false });
    await table.run('addQueues', [['mail']]);
    const ids = new QueueNames(table).idsIn(early, undefined, ['mail']);
    await expect(ids).rejects.toMatchObject({ code: 'STORE_FAILED', outcome: 'rejected' });
    await expect(ids).rejects.toThrow(/mail.*Roll it back/);
  });
});
