import { type Queue } from '@holdfast/core';
import { type Provider } from '@nestjs/common';
import { type Connection } from '../connection/connection.js';
import { providersOf } from '../from-providers.js';
import { connectionToken, getQueueToken } from '../holdfast.tokens.js';
import {
  type NamedQueue,
  type QueueSettings,
  type RegisterQueueAsyncOptions,
  type RegisterQueueOptions,
} from '../holdfast-options.js';
import { QueueRegistration } from './queue-registration.js';
import { checkRegistered, checkRegisteredAsync } from './queue-settings.js';

export interface QueueProviders {
  readonly token: string;
  readonly isGlobal: boolean;
  /** A provider of its own, so that it can be found before any queue is made. Messages name who imports its module. */
  readonly registration: Provider;
  readonly providers: readonly Provider[];
}

export function queueProviders(options: RegisterQueueOptions): QueueProviders {
  checkRegistered(options);
  const { name, connection, isGlobal, ...settings } = options;
  return registered(options, settings, [{ provide: settingsToken(options), useValue: settings }]);
}

export function asyncQueueProviders(options: RegisterQueueAsyncOptions): QueueProviders {
  checkRegisteredAsync(options);
  const made = providersOf('registerQueueAsync', settingsToken(options), options, 'createQueueSettings');
  return registered(options, undefined, [...(options.extraProviders ?? []), ...made]);
}

function registered(
  named: NamedQueue,
  settings: QueueSettings | undefined,
  settingsProviders: readonly Provider[],
): QueueProviders {
  const registration = new QueueRegistration(named, settings);
  const token = getQueueToken(named.name, named.connection);
  return {
    token,
    isGlobal: named.isGlobal === true,
    registration: { provide: `HoldfastQueueRegistration(${token})`, useValue: registration },
    providers: [
      ...settingsProviders,
      {
        // Beside the queue, which a test may override: its worker has to know them all the same.
        provide: `HoldfastQueueSettingsHeard(${token})`,
        useFactory: (connection: Connection, made: QueueSettings): Promise<void> =>
          connection.queues.hear(registration, made).catch((error: unknown) => connection.refuse(error)),
        inject: [connectionToken(named.connection), settingsToken(named)],
      },
      {
        provide: token,
        useFactory: (connection: Connection, made: QueueSettings): Promise<Queue> =>
          connection.queues.queue(registration, made).catch((error: unknown) => connection.refuse(error)),
        inject: [connectionToken(named.connection), settingsToken(named)],
      },
    ],
  };
}

function settingsToken({ name, connection }: NamedQueue): string {
  return `HoldfastQueueSettings(${getQueueToken(name, connection)})`;
}
