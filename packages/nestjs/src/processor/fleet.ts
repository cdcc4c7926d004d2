import { Injectable } from '@nestjs/common';
import { type Connection } from '../connection/connection.js';
import { type QueueWorker } from './queue-worker.js';

/** What this application runs: its stores, and the workers of their queues. Known once modules are initialized. */
@Injectable()
export class Fleet {
  connections: readonly Connection[] = [];
  workers: readonly QueueWorker[] = [];
}
