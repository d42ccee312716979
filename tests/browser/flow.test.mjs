// The main job from end to end, in a browser: an admin adds a member, the member submits,
// the admin reviews, a visitor reads. Once with scripts in a wide window, once without in
// a phone's. Every page on the way is checked (see Person).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person, launch, words } from '../support/browser.mjs';
import { startServer } from '../support/server.mjs';
import { Visitor } from '../support/visitor.mjs';

const password = 'nine herons on the quay';
const roster = '姓名,英文名,邮箱,身份,入学时间\n周明,Ming Zhou,zhou@lab.example,博士生,2023-09\n' +
    '吴芳,Fang Wu,wu@lab.example,硕士生,2024-09\n,,nobody@lab.example,,\n';
const biography = 'Works on **tiered memory**.\n\n- pages\n- [code](https://example.org/ferry)';
const bibtex = `@article{tides, author = {Xiao Lin and Wei T{\\"a}ng}, title = {Tides of
  {NUMA} Memory}, journal = {Trans. Invented Systems}, year = 2025, doi = {10.5555/tides}}
@article{broken, title = {Never closed`;

let browser;

before(async () => {
    browser = await launch();
});
after(() => browser.close());

const en = (key) => words('en', key);
const zh = (key) => words('zh', key);
const named = (person, name) => person.page.locator(`main [name="${name}"]`);

async function fill(person, values) {
    for (const [name, value] of Object.entries(values)) {
        const field = named(person, name);
        if (await field.evaluate((e) => e.tagName === 'SELECT')) await field.selectOption(value);
        else await field.fill(value);
    }
}

async function kept(person, values) {
    for (const [name, value] of Object.entries(values))
        assert.equal(await named(person, name).inputValue(), value, name);
}

async function adminArrives(ada, server) {
    const { stdout } = await server.labd('admin', 'link', 'ada@lab.example');
    // The command can't know the port that this server was given.
    const { pathname } = new URL(/https?:\S+/.exec(stdout)[0]);
    await ada.context.request.head(pathname);
    await ada.open(pathname);
    await ada.open(pathname);
    assert.equal(server.database.value('select count(*)::int from sign_in_link ' +
        'where redeemed_at is not null'), 0, 'looking at a link changes nothing');
    await ada.press(en('sign_in.link_submit'));
    assert.match(ada.page.url(), /\/my\/password/);
    await fill(ada, { password: 'too short' });
    await ada.press(en('my.password_save'), 422);
    await fill(ada, { password });
    // Enter submits the form's main button.
    await ada.act(() => named(ada, 'password').press('Enter'));
    assert.equal(server.database.value(
        'select count(password_hash)::int from account'), 1);
}

async function importRoster(ada, server) {
    const people = () => server.database.value('select count(*)::int from person');
    await ada.open('/admin');
    await ada.follow(en('admin.nav.import'));
    await fill(ada, { kind: 'people' });
    await named(ada, 'file').setInputFiles({ name: '名单.csv', mimeType: 'text/csv',
        buffer: Buffer.from(`\ufeff${roster}`) });
    await ada.press(en('admin.import.try'));
    await ada.expect(/3\s*entries/i);
    await ada.expect(/Line 4/);
    assert.equal(people(), 0, 'a trial writes nothing');
    await ada.press(en('admin.import.apply'));
    assert.equal(people(), 2);
}

async function addMember(ada) {
    await ada.open('/admin/people');
    await ada.follow(en('admin.people.add'));
    await fill(ada, { email: 'lin@lab', given_latin: 'Xiao', family_latin: 'Lin',
        name_han: '林晓', role: 'phd', starts: '2022-09' });
    await ada.press(en('admin.people.add_submit'), 422);
    await kept(ada, { email: 'lin@lab', name_han: '林晓', role: 'phd' });
    await fill(ada, { email: 'lin@lab.example', language: 'zh' });
    await ada.press(en('admin.people.add_submit'));
    await ada.press(en('admin.person.link_make'));
    return new URL(await ada.page.locator('#link').inputValue()).pathname;
}

async function memberArrives(lin, link) {
    await lin.open(link);
    await lin.expect(/lin@lab\.example/);
    await lin.press(zh('sign_in.link_submit'));
    assert.equal(new URL(lin.page.url()).pathname, '/my');
    assert.equal(await lin.page.getAttribute('html', 'lang'), 'zh-CN');
}

// The skip link, the menu and then the fields, in the order of the page.
async function walkByKeyboard(person) {
    const { page } = person;
    const seen = [];
    await page.evaluate(() => document.activeElement?.blur());
    for (let i = 0; i < 60 && seen.at(-1)?.what !== 'BODY'; i++) {
        await page.keyboard.press('Tab');
        seen.push(await page.evaluate(() => {
            const e = document.activeElement;
            const box = e.getBoundingClientRect();
            const style = getComputedStyle(e);
            return { what: e.name || e.className || e.getAttribute('href') || e.tagName,
                shown: box.width > 0 && box.height > 0,
                marked: style.outlineStyle !== 'none' || style.boxShadow !== 'none' };
        }));
    }
    if (seen.at(-1).what === 'BODY') seen.pop(); // beyond the end
    const place = (what) => seen.findIndex((s) => s.what === what);
    assert.equal(seen[0].what, 'skip');
    const order = ['skip', '/zh/people', 'name_han', 'given_latin', 'family_latin',
        'interests_en'].map(place);
    assert.deepEqual([...order].sort((a, b) => a - b), order,
        JSON.stringify(seen.map((s) => s.what)));
    assert.ok(order.every((at) => at >= 0), JSON.stringify(seen.map((s) => s.what)));
    for (const stop of seen) assert.ok(stop.shown && stop.marked, JSON.stringify(stop));
    await page.keyboard.press('Escape');
}

const profile = { given_latin: 'Xiao', family_latin: 'Lin', name_han: '林晓',
    interests_en: 'tiered memory, scheduling', interests_zh: '分层内存、调度',
    biography_en: biography, biography_zh: '研究**分层内存**。',
    phone: '+86 10 5555 0100', office: 'West 301', 'visibility.phone': 'public',
    'visibility.email': 'admins', 'links.0.label': 'Home', 'links.0.url': 'https://example.org/' };

async function fillProfile(lin) {
    await lin.open('/my/profile');
    await walkByKeyboard(lin);
    const wrong = { ...profile, email: 'lin@', 'links.0.url': 'javascript:alert(1)' };
    await fill(lin, wrong);
    await lin.press(zh('edit.save.my_person'), 422);
    const summary = lin.page.locator('.summary');
    assert.equal(await summary.locator('a').count(), 2, await summary.innerText());
    assert.ok(await summary.evaluate((e) => e === document.activeElement),
        'the summary has the focus');
    await summary.locator('a').first().click();
    assert.equal(await lin.page.evaluate(() => document.activeElement.name), 'email');
    await kept(lin, wrong);
    await fill(lin, { ...profile, email: 'lin@lab.example' });
    await lin.press(zh('edit.save.my_person'));
    await lin.expect(new RegExp(zh('notice.submitted')));
    await lin.expect(new RegExp(zh('change.state.submitted')));
}

async function addPublications(lin) {
    await lin.open('/my');
    await lin.follow(zh('my.works_add'));
    await fill(lin, { kind: 'conference', title: 'Ferry: Moving Pages Before They Are Missed',
        'authors.0.name': 'Xiao Lin', 'authors.0.person': 'xiao-lin', venue: 'OSDI',
        year: '2026' });
    // One more author: by script on the spot, else by way of the server.
    const add = lin.page.locator('button[value="add:authors"]');
    const before = await lin.page.locator('[data-group=authors] > fieldset').count();
    if (lin.scripts) await add.click();
    else await lin.act(() => add.click());
    const rows = lin.page.locator('[data-group=authors] > fieldset');
    assert.equal(await rows.count(), before + 1, 'a row for another author');
    await rows.last().locator('input[name$=".name"]').fill('Ada Berg');
    await kept(lin, { title: 'Ferry: Moving Pages Before They Are Missed' });
    await lin.press(zh('edit.save.my_publication_new'));
    await lin.expect(new RegExp(zh('change.state.submitted')));

    await lin.follow(zh('my.works_bibtex'));
    await lin.act(async () => {
        await fill(lin, { text: bibtex });
        await lin.page.getByRole('button', { name: zh('imports.read') }).click();
    });
    await lin.expect(/Tides of\s+NUMA Memory/);
    await lin.expect(/Wei Täng/);
    await lin.press(zh('imports.apply'));
    await lin.expect(/Tides of NUMA Memory/);
}

async function decide(ada, title) {
    await ada.open('/admin/changes');
    await ada.act(() => ada.page.locator('main a', { hasText: title }).first().click());
}

// What a visitor without cookies gets, from the page cache.
async function publicPages(server) {
    const pages = {};
    for (const language of ['en', 'zh'])
        pages[language] = (await new Visitor(server).get(`/${language}/people/xiao-lin`)).text;
    return pages;
}

async function reviewProfile(ada, lin, server) {
    for (const round of ['first', 'from the cache'])
        for (const text of Object.values(await publicPages(server)))
            assert.doesNotMatch(text, /scheduling|调度|West 301/, round);
    await decide(ada, 'Xiao Lin');
    const difference = ada.page.locator('table.diff');
    assert.match(await difference.locator('ins').allInnerTexts().then((t) => t.join()),
        /tiered memory/);
    await fill(ada, { comment: '' });
    await ada.press(en('admin.change.return'), 422);
    await fill(ada, { comment: 'The building is called West-2 now.' });
    await ada.press(en('admin.change.return'));

    await lin.open('/my');
    await lin.expect(/West-2 now/);
    await lin.expect(new RegExp(zh('change.state.returned')));
    await lin.open('/my/profile');
    await lin.expect(/West-2 now/);
    await kept(lin, { biography_en: biography, office: 'West 301' });
    await fill(lin, { office: 'West-2 301' });
    await lin.press(zh('edit.save.my_person'));

    await decide(ada, 'Xiao Lin');
    await ada.press(en('admin.change.approve'));
    for (const round of ['first', 'from the cache']) {
        const pages = await publicPages(server);
        assert.match(pages.en, /tiered memory, scheduling/, round);
        assert.match(pages.en, /<strong>tiered memory<\/strong>/, round);
        assert.match(pages.zh, /分层内存、调度/, round);
        assert.match(pages.zh, /<strong>分层内存<\/strong>/, round);
        for (const text of Object.values(pages)) {
            assert.match(text, /West-2 301/);
            assert.match(text, /5555 0100/, 'made public by her');
            assert.doesNotMatch(text, /lin@lab\.example/, 'for admins alone');
        }
    }
}

async function approveTheRest(ada, server) {
    for (const title of ['Ferry: Moving Pages Before They Are Missed', 'Tides of NUMA Memory']) {
        await decide(ada, title);
        await ada.press(en('admin.change.approve'));
    }
    assert.equal(server.database.value(
        "select count(*)::int from change where state = 'submitted'"), 0);
    await ada.open('/admin/changes');
    await ada.expect(new RegExp(en('admin.changes.empty')));
}

async function conflict(ada, lin, server) {
    await lin.open('/my/profile');
    await ada.open('/admin/people/xiao-lin/edit');
    await fill(ada, { office: 'North 7' });
    await ada.press(en('edit.save.admin_person'));
    await fill(lin, { office: 'South 9', biography_en: `${biography}\n\nMore.` });
    await lin.press(zh('edit.save.my_person'), 409);
    await lin.expect(/North 7/);
    await kept(lin, { office: 'South 9', biography_en: `${biography}\n\nMore.` });
    await lin.press(zh('edit.save.my_person'));
    await decide(ada, 'Xiao Lin');
    await ada.press(en('admin.change.approve'));
    assert.equal(server.database.value(
        "select office from person where slug = 'xiao-lin'"), 'South 9');
    assert.match((await publicPages(server)).en, /South 9/);
}

async function visitorReads(eve) {
    await eve.open('/');
    for (const language of ['en', 'zh']) {
        await eve.open(`/${language}/publications`);
        await eve.follow('Ferry: Moving Pages Before They Are Missed');
        await eve.expect(/Ada Berg/);
        await eve.follow('Xiao Lin');
        await eve.expect(/林晓/);
        await eve.expect(/Tides of NUMA Memory/);
        // The other language, of the same page.
        const { pathname } = new URL(eve.page.url());
        await eve.act(() => eve.page.locator('nav.own a').first().click());
        assert.equal(new URL(eve.page.url()).pathname,
            pathname.replace(/^\/../, language === 'en' ? '/zh' : '/en'));
    }
    assert.deepEqual(await eve.context.cookies(), []);
}

async function endOfSessions(ada, lin, link, server) {
    await ada.press(en('nav.sign_out'));
    await ada.open('/admin/people'); // leads to signing in
    assert.match(ada.page.url(), /\/sign-in\?next=/);
    await fill(ada, { email: 'ada@lab.example', password: 'not the one' });
    await ada.press(en('sign_in.submit'), 401);
    await kept(ada, { email: 'ada@lab.example', password: '' });
    await fill(ada, { password });
    await ada.act(() => named(ada, 'password').press('Enter'));
    assert.match(ada.page.url(), /\/admin\/people$/);

    await lin.open(link, 410);
    await lin.open('/my/profile');
    await fill(lin, { office: 'Typed after the session ended' });
    server.database.run('delete from session');
    await lin.press(zh('edit.save.my_person'));
    assert.match(lin.page.url(), /\/sign-in\?next=\/my\/held\/\d+/);
    await lin.expect(new RegExp(zh('notice.kept')));
    assert.equal(server.database.value(
        "select count(*)::int from change where state = 'submitted'"), 0);
}

// Each page of members and admins in the language that the flow did not show it in.
async function otherLanguage(ada, lin, server) {
    const change = server.database.value(`select max(c.id) from change c
        join account a on a.id = c.author_id where email = 'lin@lab.example'`);
    for (const path of ['/admin', '/admin/people', '/admin/people/new', '/admin/changes',
        '/admin/import', '/admin/lab', '/admin/tokens', '/admin/events',
        '/admin/publications', '/admin/publications/new', '/admin/people/xiao-lin',
        '/admin/people/xiao-lin/edit', `/admin/changes/${change}`, '/my/password'])
        await ada.open(`${path}?lang=zh`);
    await ada.open('/admin?lang=en');
    for (const path of ['/my', '/my/profile', '/my/password', '/my/publications/new',
        '/my/imports', `/my/changes/${change}`])
        await lin.open(`${path}?lang=en`);
    await lin.open('/my?lang=zh');
}

for (const { name, sweep, ...options } of [
    { name: 'with scripts, in a wide window', sweep: true,
        viewport: { width: 1440, height: 900 } },
    { name: 'without scripts, on a phone', javaScriptEnabled: false,
        viewport: { width: 360, height: 740 } },
])
    test(`a member submits, an admin approves, a visitor reads: ${name}`, async () => {
        const server = await startServer();
        try {
            const ada = await Person.sit(browser, server, options);
            const lin = await Person.sit(browser, server, { ...options, language: 'zh' });
            const eve = await Person.sit(browser, server, options);
            await adminArrives(ada, server);
            await importRoster(ada, server);
            const link = await addMember(ada);
            await memberArrives(lin, link);
            await fillProfile(lin);
            await addPublications(lin);
            await reviewProfile(ada, lin, server);
            await approveTheRest(ada, server);
            await conflict(ada, lin, server);
            await visitorReads(eve);
            if (sweep) await otherLanguage(ada, lin, server);
            await endOfSessions(ada, lin, link, server);
            for (const person of [ada, lin, eve]) await person.leave();
        } catch (error) {
            error.message += `\n${server.log.slice(-8).join('\n')}`;
            throw error;
        } finally {
            await server.stop();
        }
    });
