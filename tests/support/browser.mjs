// Chromium for a JavaScript test, and the accessibility check of a page.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

export function launch() {
    return chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        headless: true,
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
            '--disable-background-networking'],
    });
}

// Fails with each violation that axe-core finds on the page as it is now. Through
// evaluate(), which the page's Content-Security-Policy does not concern.
export async function expectAccessible(page) {
    await page.evaluate(axeSource);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document));
    const found = violations.map(({ id, help, nodes }) =>
        `${id}: ${help}\n${nodes.map((node) => `    ${node.html}`).join('\n')}`);
    assert.equal(found.length, 0, `${page.url()}\n${found.join('\n')}`);
}

// Collects what a visitor's browser console would show as faults, and every request that
// leaves the site; call the function it returns at the end.
export function watch(page, origin) {
    const faults = [];
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
            faults.push(`${message.type()}: ${message.text()}`);
    });
    page.on('request', (request) => {
        if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
            faults.push(`foreign request: ${request.url()}`);
    });
    return () => assert.deepEqual(faults, []);
}
