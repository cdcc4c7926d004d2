import { expect, it } from 'vitest';
import { SeededRandom } from '../../test/sim/seeded-random.js';
import { SimDisk } from '../../test/sim/sim-disk.js';
import { SimFileSystem } from '../../test/sim/sim-file-system.js';
import { fileSystemWithReserve } from './reserving-file-system.js';

function makeFile() {
  const system = new SimFileSystem(new SimDisk(), new SeededRandom(1));
  system.createDirectory('/log');
  let given = 0;
  const reserve = { wrote: () => {}, giveUp: () => ++given === 1 };
  const file = fileSystemWithReserve(system, reserve).open('/log/one', 'create');
  file.write(new Uint8Array(1000).fill(1), 0);
  return { system, file, timesGiven: () => given };
}

it('gives up the reserve for a cut that the disk refuses, as those may that never write in place', () => {
  const { system, file, timesGiven } = makeFile();
  system.plan = { atStep: system.steps, fault: 'ENOSPC' };
  file.truncate(10);
  expect(file.size()).toBe(10);
  expect(timesGiven()).toBe(1);
});

it('gives up nothing for room ahead', () => {
  const { system, file, timesGiven } = makeFile();
  system.plan = { atStep: system.steps, fault: 'ENOSPC' };
  expect(file.makeRoom(1000, 1000)).toBe(0);
  expect(timesGiven()).toBe(0);
});
