// Seconds of processor time in which @retorquere/bibtex-parser parses a BibTeX file.
//   node parse.mjs FILE

import { readFileSync } from 'node:fs';
import { parse } from '@retorquere/bibtex-parser';

const text = readFileSync(process.argv[2], 'utf8');
const before = process.cpuUsage();
const { entries } = parse(text);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ seconds: (user + system) / 1e6, entries: entries.length }));
