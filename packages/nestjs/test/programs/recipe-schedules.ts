// The schedules of docs/recipes/repeating-jobs.md: ticks that come twice, and a chain in which a job fails once.
import 'reflect-metadata';
import { getQueueToken, HoldfastModule, logStore } from '@holdfast/nestjs';
import { HoldfastTesting, HoldfastTestingModule } from '@holdfast/nestjs/testing';
import { Test } from '@nestjs/testing';
import { Feed, FeedProcessor } from './schedules/feed.processor.js';
import { NightlySums } from './schedules/nightly-sums.js';
import { SchedulesModule } from './schedules/schedules.module.js';

const root = HoldfastModule.forRoot({ store: logStore({ directory: 'unused' }) });
const app = await Test.createTestingModule({ imports: [root, SchedulesModule, HoldfastTestingModule] }).compile();
let calls = 0;
app.get(Feed).fetch = async () => {
  calls++;
  if (calls === 2) throw new Error('no answer');
};
await app.init();
const jobs = app.get(HoldfastTesting);

await app.get(NightlySums).tick();
const sums = await app.get(getQueueToken('sums')).counts();

const { completed, failed } = await jobs.advance(16 * 60_000);
await app.get(FeedProcessor).onApplicationBootstrap();
const { scheduled, ready } = await app.get(getQueueToken('feed')).counts();
console.log(`schedules ${JSON.stringify({ sums: sums.ready, completed, failed, calls, scheduled, ready })}`);
await app.close();
