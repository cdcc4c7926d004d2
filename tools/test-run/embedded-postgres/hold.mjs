// Starts a server as a test run does, says where it is, and never ends: for the test that kills it.
import { EmbeddedPostgres } from './server.mjs';

const { url, programs } = await EmbeddedPostgres.start();
console.log(JSON.stringify({ url, programs }));
setInterval(() => {}, 60_000);
