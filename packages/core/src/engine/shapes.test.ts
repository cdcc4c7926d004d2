import { describe, expect, it } from 'vitest';
import { EngineRig, SHAPE } from '../../test/model/engine-rig.js';
import { keeping } from '../../test/model/keeping.js';
import { JobColumns } from '../state/job-columns.js';
import { ShapeTable } from '../state/shape-table.js';
import { Shapes } from './shapes.js';

describe('Shapes', () => {
  it('hands out one object for a shape and a priority', () => {
    const table = new ShapeTable(new JobColumns(), keeping(0));
    const shapes = new Shapes(table);
    const [one, two] = [shapes.intern(SHAPE), shapes.intern({ ...SHAPE, name: 'two' })];
    const given = [1, 2, 1, 2].flatMap((priority) => [shapes.give(one, priority), shapes.give(two, priority)]);
    expect(new Set(given).size).toBe(4);
    expect(given[2]).toEqual({ ...SHAPE, priority: 2 });
    expect(given[3]).toEqual({ ...SHAPE, name: 'two', priority: 2 });
  });

  it('knows a shape anew that the table has forgotten', () => {
    const table = new ShapeTable(new JobColumns(), keeping(0));
    const shapes = new Shapes(table);
    const early = { ...SHAPE, name: 'early' };
    const first = shapes.intern(early);
    shapes.give(first, 0);
    for (let number = 0; number < 3000; number++) shapes.give(shapes.intern({ ...SHAPE, name: `n${number}` }), 0);
    const again = shapes.intern(early);
    expect(again).not.toBe(first);
    expect(table.at(again.index)).toBe(again);
    expect(shapes.give(again, 0)).toEqual(early);
  });

  it('runs more kinds of jobs in one call than shapes are remembered', () => {
    const rig = new EngineRig({ completedKept: 0 });
    const shapes = Array.from({ length: 3000 }, (_, number) => ({ ...SHAPE, name: `n${number}` }));
    for (let round = 0; round < 2; round++) {
      rig.enqueue(...shapes.map((shape) => ({ shape })));
      const names: string[] = [];
      for (let jobs = rig.claim({ limit: 1000 }); jobs.length > 0; jobs = rig.claim({ limit: 1000 })) {
        names.push(...jobs.map(({ shape }) => shape.name));
        rig.ack(...jobs);
      }
      expect(names).toEqual(shapes.map(({ name }) => name));
    }
    rig.reopen();
    expect(rig.engine.queues()[0]!.counts.ready).toBe(0);
  });
});
