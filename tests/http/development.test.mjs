// A theme laid over the templates, and what --development is for: a template that changes
// is seen at the next request, a broken one says where.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';

const theme = mkdtempSync(join(tmpdir(), 'labd-theme.'));
let server;

const page = (text) => writeFileSync(join(theme, 'home/index.html'), text);
// The view looks at the files every 200 ms at most: asks until the answer has come.
async function until(found) {
    for (let tries = 0; tries < 500; tries++) {
        const answer = await fetch(`${server.url}/en/`);
        const text = await answer.text();
        if (found(text, answer.status)) return text;
    }
    assert.fail('the page never changed');
}

before(async () => {
    mkdirSync(join(theme, 'home'));
    mkdirSync(join(theme, 'i18n'));
    writeFileSync(join(theme, 'i18n/en.json'), '{"nav.people": "Crew"}');
    page('{{<layout}}{{$main}}<h1>Our own</h1>{{/main}}{{/layout}}');
    server = await startServer({ demo: true,
        env: { LABD_DEVELOPMENT: 'yes', LABD_THEME: theme } });
});
after(async () => {
    await server.stop();
    rmSync(theme, { recursive: true });
});

test('a theme replaces pages file by file and words message by message', async () => {
    const text = await until((html) => html.includes('<h1>Our own</h1>'));
    assert.match(text, />Crew</);
    assert.match(text, />Publications</);
});

test('a changed template is picked up, a broken one names file, line and column', async () => {
    page('{{<layout}}{{$main}}<h1>Changed</h1>{{/main}}{{/layout}}');
    await until((html) => html.includes('<h1>Changed</h1>'));
    page('{{<layout}}{{$main}}\n<h1>{{#never}}</h1>{{/main}}{{/layout}}');
    const broken = await until((html, status) => status === 500);
    assert.match(broken, /home\/index\.html:2:\d+: /);
    page('{{<layout}}{{$main}}\n<h1>{{missing}}</h1>{{/main}}{{/layout}}');
    const missing = await until((html, status) => status === 500 && html.includes('missing'));
    assert.match(missing, /home\/index\.html:2:5/);
    page('{{<layout}}{{$main}}<h1>Mended</h1>{{/main}}{{/layout}}');
    await until((html, status) => status === 200 && html.includes('<h1>Mended</h1>'));
    const other = await fetch(`${server.url}/en/nothing`).then((answer) => answer.text());
    assert.doesNotMatch(other, /index\.html:/, 'what is mended is not told again');
});
