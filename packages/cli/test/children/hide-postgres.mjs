import { register } from 'node:module';

/** As where nobody has installed the package: for `--import`. */
register('./hiding-loader.mjs', import.meta.url);
