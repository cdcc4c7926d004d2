import { describe, expect, it } from 'vitest';
import { problemOf, type Settings, serverOf } from './server.js';

const GOOD: Settings = {
  version: '8.0.36',
  innodb_flush_log_at_trx_commit: '1',
  log_bin: 'ON',
  sync_binlog: '1',
  binlog_format: 'ROW',
  read_only: 'OFF',
  max_allowed_packet: '67108864',
  sql_mode: 'STRICT_TRANS_TABLES',
  innodb_doublewrite: 'ON',
};

function problem(settings: Partial<Settings>, acceptDataLoss = false): string | undefined {
  const all = { ...GOOD, ...settings };
  return problemOf(serverOf(all.version ?? ''), all, acceptDataLoss);
}

describe('a server', () => {
  it.for(['8.0.17', '8.4.0', '9.1.0-commercial', '10.6.0-MariaDB', '11.8.2-MariaDB-ubu2404', '5.5.5-10.11.6-MariaDB'])(
    'is taken as %s',
    (version) => {
      expect(problem({ version })).toBeUndefined();
    },
  );

  it.for(['5.7.44-log', '8.0.16', '10.5.29-MariaDB', '10.4.1-MariaDB-1:10.4.1+maria~focal'])(
    'is refused as %s',
    (version) => {
      expect(problem({ version })).toContain('needs MySQL 8.0.17 or MariaDB 10.6');
    },
  );

  it.for([
    [{ innodb_flush_log_at_trx_commit: '2' }, /innodb_flush_log_at_trx_commit is 2/],
    [{ innodb_flush_log_at_trx_commit: '0' }, /innodb_flush_log_at_trx_commit is 0/],
    [{ sync_binlog: '0' }, /sync_binlog is 0/],
  ] as const)('is refused where it could lose answered jobs, unless that is accepted: %j', ([settings, message]) => {
    expect(problem(settings)).toMatch(message);
    expect(problem(settings, true)).toBeUndefined();
  });

  it('needs no synced binary log where it writes none', () => {
    expect(problem({ log_bin: 'OFF', sync_binlog: '0', binlog_format: 'STATEMENT' })).toBeUndefined();
  });

  it.for([
    [{ read_only: 'ON' }, /read-only/],
    [{ binlog_format: 'STATEMENT' }, /binlog_format/],
    [{ max_allowed_packet: '1048576' }, /max_allowed_packet is 1048576/],
    [{ sql_mode: 'ANSI,NO_BACKSLASH_ESCAPES' }, /NO_BACKSLASH_ESCAPES/],
  ] as const)('is refused with %j', ([settings, message]) => {
    expect(problem(settings)).toMatch(message);
    expect(problem(settings, true)).toMatch(message);
  });

  it('has a collation that compares bytes, under the name that it gives it', () => {
    expect(serverOf('8.0.36').collation).toBe('utf8mb4_0900_bin');
    expect(serverOf('10.11.6-MariaDB').collation).toBe('utf8mb4_nopad_bin');
  });
});
