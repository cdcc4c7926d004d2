import { checkQueue } from '@holdfast/core';
import { CHECKED_ELSEWHERE, checkOptions, FLAG, type OptionRule, TEXT } from '../checked-options.js';
import { FROM_PROVIDERS } from '../from-providers.js';
import {
  type NamedQueue,
  type QueueSettings,
  type RegisterQueueAsyncOptions,
  type RegisterQueueOptions,
} from '../holdfast-options.js';

const NAMED: Record<keyof NamedQueue, OptionRule> = { name: CHECKED_ELSEWHERE, connection: TEXT, isGlobal: FLAG };

/** `checkQueue` looks at the values. */
const SETTINGS: Record<keyof QueueSettings, OptionRule> = {
  queueName: CHECKED_ELSEWHERE,
  defaults: CHECKED_ELSEWHERE,
  codec: CHECKED_ELSEWHERE,
  schemas: CHECKED_ELSEWHERE,
};

/** @throws InvalidArgumentError */
export function checkRegistered(options: RegisterQueueOptions): void {
  checkOptions('registerQueue', options, { ...NAMED, ...SETTINGS });
}

/** @throws InvalidArgumentError, also for settings that stand beside what makes them */
export function checkRegisteredAsync(options: RegisterQueueAsyncOptions): void {
  checkOptions('registerQueueAsync', options, { ...NAMED, ...FROM_PROVIDERS });
}

/** What is said of a queue, wherever it comes from. @throws InvalidArgumentError, InvalidDefaultsError */
export function checkSettings(name: string, settings: QueueSettings): void {
  checkOptions(`the settings of the queue "${name}"`, settings, SETTINGS);
  const { queueName = name, ...said } = settings;
  checkQueue(queueName, said);
}
