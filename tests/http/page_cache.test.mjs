// The page cache between strangers: what one visitor sends never shows in what another
// gets, and those with a session get nothing of it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { Visitor } from '../support/visitor.mjs';

let server;
before(async () => {
    server = await startServer({ demo: true,
        env: { LABD_BASE_URL: 'http://lab.example' } });
});
after(() => server.stop());

const pages = ['/en/', '/zh/people', '/en/publications', '/zh/publications?year=2024',
    '/publications.bib', '/api/v1/people', '/api/v1/schema/person',
    '/api/v1/schema/publication?lang=zh'];

for (const path of pages)
    test(`${path} is the same whoever asked first`, async () => {
        const glue = path.includes('?') ? '&' : '?';
        const first = await new Visitor(server, { language: 'zh' }).get(
            `${path}${glue}utm=poisoned`, { headers: { Host: 'evil.example',
                'X-Forwarded-Host': 'evil.example', 'Accept-Language': 'zh',
                Cookie: 'labd_language=zh; labd_form=poisoned' } });
        const second = await new Visitor(server).get(path);
        assert.equal(first.status, 200);
        assert.equal(second.status, 200);
        assert.equal(second.headers['cache-control'], 'public, max-age=0, must-revalidate');
        assert.equal(second.headers['set-cookie'], undefined);
        assert.equal(second.text, first.text);
        assert.doesNotMatch(second.text, /poisoned|evil\.example/);
        if (path.startsWith('/api/v1/schema'))
            assert.equal(/[一-鿿]/.test(second.text), path.includes('zh'));
    });
