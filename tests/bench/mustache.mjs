// How many pages a second mustache.js renders, from the same templates and document as
// tests/bench/template.c: parsed once, cached by mustache.js.
//   node mustache.mjs HOME NAME DOCUMENT.json SECONDS
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import Mustache from 'mustache';

const [home, name, documentFile, seconds] = process.argv.slice(2);
const root = join(home, 'templates');
const partials = {};
(function walk(folder) {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry);
    if (statSync(path).isDirectory()) walk(path);
    else partials[relative(root, path).replace(/\.html$/, '')] = readFileSync(path, 'utf8');
  }
})(root);
const page = partials[name.replace(/\.html$/, '')];
const document = JSON.parse(readFileSync(documentFile, 'utf8'));
Mustache.parse(page);

let output;
let renders = 0;
// As many again first, so that the code is compiled.
for (const measured of [false, true]) {
  const begin = performance.now();
  renders = 0;
  do {
    for (let i = 0; i < 20; i++) output = Mustache.render(page, document, partials);
    renders += 20;
  } while (performance.now() - begin < Number(seconds) * 1000);
  if (measured)
    console.log(JSON.stringify({
      renders_per_s: Math.round(renders * 10000 / (performance.now() - begin)) / 10,
      bytes: Buffer.byteLength(output),
      renders,
    }));
}
