import { openLogStore, Queue, startWorker } from '@holdfast/core';

const [directory = '', isolation, name = ''] = process.argv.slice(2);
const store = await openLogStore({ directory });
const queue = new Queue('work', { store });
const file = new URL('../../isolation/handlers/all.mjs', import.meta.url);
const worker = startWorker({ store, queue: 'work', isolation: isolation === 'thread' ? 'thread' : 'process', file });
if (name === 'double') {
  const { id } = await queue.enqueue('double', 21);
  console.log(`result ${await queue.waitFor(id)}`);
  await worker.close();
  await store.close();
  console.log('closed');
} else {
  const { id } = await queue.enqueue(name, null);
  let lines;
  while (lines === undefined) lines = (await queue.job(id))?.attemptLog.at(0)?.lines;
  console.log(`spins in ${lines[0]?.text.replace('about to spin in ', '')}`);
}
