// Chromium for a JavaScript test, and what is looked at on every page it comes to.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from './server.mjs';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

export function launch() {
    return chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        headless: true,
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
            '--disable-background-networking'],
    });
}

// The words of the pages: words('zh', 'nav.people').
const catalogs = {};
export function words(language, key) {
    catalogs[language] ??= JSON.parse(
        readFileSync(join(root, `templates/i18n/${language}.json`), 'utf8'));
    assert.ok(key in catalogs[language], `${language}.json has no ${key}`);
    return catalogs[language][key];
}

// evaluate() alone would wait for ever.
function inTime(promise) {
    let timer;
    const late = new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(new Error('the page does not answer')), 60_000);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// Fails with each violation that axe-core finds on the page as it is now, in light and in
// dark. Through evaluate(), which the page's Content-Security-Policy does not concern.
export async function expectAccessible(page) {
    await page.evaluate(axeSource);
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        // Nothing but colours can differ in the dark.
        const options = { resultTypes: ['violations'],
            ...(colorScheme === 'dark' && { runOnly: ['color-contrast'] }) };
        // What passed would be most of the work, and of what comes back from the window.
        const violations = await inTime(page.evaluate(async (settings) =>
            (await globalThis.axe.run(document, settings)).violations, options));
        const found = violations.map(({ id, help, nodes }) =>
            `${id}: ${help}\n${nodes.map((n) => `    ${n.html} ${n.failureSummary}`).join('\n')}`);
        assert.equal(found.length, 0, `${page.url()} (${colorScheme})\n${found.join('\n')}`);
    }
}

// Collects what a visitor's browser console would show as faults, and every request that
// leaves the site; call the function it returns at the end. Statuses that the test expects
// are no faults.
export function watch(page, origin) {
    const faults = [];
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('console', (message) => {
        if (!['error', 'warning'].includes(message.type())) return;
        if (/the server responded with a status of 4\d\d/.test(message.text())) return;
        faults.push(`${message.type()}: ${message.text()}`);
    });
    page.on('request', (request) => {
        if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
            faults.push(`foreign request: ${request.url()}`);
    });
    return () => assert.deepEqual(faults, []);
}

// Somebody before a browser. Every page they come to is checked: it is accessible, says
// its language, fits the window, and its console and network are quiet.
export class Person {
    seen = new Set(); // pages that axe-core has looked at

    static async sit(browser, server, { language = 'en', ...options } = {}) {
        const person = new Person();
        person.server = server;
        person.context = await browser.newContext({ baseURL: server.url,
            locale: language === 'zh' ? 'zh-CN' : 'en-GB', ...options });
        person.page = await person.context.newPage();
        person.page.setDefaultTimeout(20_000);
        person.scripts = options.javaScriptEnabled !== false;
        person.quiet = watch(person.page, server.url);
        if (!person.scripts) await person.#sitBeside(browser, options);
        return person;
    }

    // axe-core's timers do not run in a window without scripts, so the page as it stands
    // is looked at in a second window, where the site's own scripts are still kept out.
    async #sitBeside(browser, options) {
        this.beside = await browser.newContext({ ...options, javaScriptEnabled: true });
        this.double = await this.beside.newPage();
        await this.double.route('**/*', (route) => {
            const request = route.request();
            if (request.isNavigationRequest())
                return route.fulfill({ contentType: 'text/html; charset=utf-8',
                    body: this.html });
            return request.resourceType() === 'script' ? route.abort() : route.continue();
        });
    }

    // Opens a path; the answer must have the status.
    async open(path, status = 200) {
        const answer = await this.page.goto(path);
        assert.equal(answer.status(), status, `${path}\n${await this.page.innerText('body')}`);
        await this.look();
        return this;
    }

    // Does what leads to another page, and expects its status there.
    async act(deed, status = 200) {
        const arrived = this.page.waitForResponse((answer) =>
            answer.request().isNavigationRequest() &&
            !(answer.status() >= 300 && answer.status() < 400));
        try {
            await Promise.all([this.page.waitForEvent('load'), arrived, deed()]);
        } catch (error) {
            error.message += `\n${this.page.url()}\n${await this.text()}`;
            throw error;
        }
        const answer = await arrived;
        assert.equal(answer.status(), status,
            `${answer.url()}\n${await this.page.innerText('body')}`);
        await this.look();
        return this;
    }

    press(name, status) {
        return this.act(() => this.page.getByRole('button', { name, exact: true }).first()
            .click(), status);
    }

    follow(name, status) {
        return this.act(() => this.page.getByRole('link', { name, exact: true }).first()
            .click(), status);
    }

    async look() {
        const { page } = this;
        const facts = await page.evaluate(() => ({
            lang: document.documentElement.lang,
            h1: document.querySelectorAll('h1').length,
            wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
            foreign: [...document.querySelectorAll(
                '[src], link[rel~=stylesheet], link[rel~=icon]')]
                .map((e) => e.src ?? e.href).filter((url) => !url.startsWith(location.origin)),
        }));
        assert.match(facts.lang, /^(en|zh-CN)$/);
        assert.equal(facts.h1, 1, `${page.url()} has ${facts.h1} h1`);
        assert.ok(facts.wide <= 0, `${page.url()} is ${facts.wide} px too wide`);
        assert.deepEqual(facts.foreign, []);
        const known = `${page.url()} ${await this.text()}`;
        if (this.seen.has(known)) return undefined;
        this.seen.add(known);
        if (this.scripts) return expectAccessible(page);
        this.html = await page.content();
        await this.double.goto(page.url());
        return expectAccessible(this.double);
    }

    text() {
        return this.page.innerText('body');
    }

    async expect(pattern) {
        assert.match(await this.text(), pattern);
    }

    async leave() {
        this.quiet();
        await this.context.close();
        await this.beside?.close();
    }
}
