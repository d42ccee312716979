// The whole way of a change: a member sends it in, an admin looks at it, visitors read it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server;
let ada;
let lin;
const slug = 'xiao-lin';
// What a page says, without its marks.
const words = (page) => page.text.replace(/<\/?(ins|del)>/g, '');

before(async () => {
    server = await startServer();
    ada = await admin(server);
});
after(() => server.stop());

// A member with an account, and a browser that has opened the sign-in link.
async function addMember(values) {
    const added = await ada.submit(await ada.get('/admin/people/new'), '/admin/people/new',
        { role: 'phd', language: 'en', ...values });
    assert.equal(added.status, 303, added.text);
    const person = new URL(added.location, server.url).pathname;
    const made = await ada.submit(await ada.get(person), `${person}/links`);
    assert.equal(made.status, 200, made.text);
    const member = new Visitor(server);
    const link = /value="(http[^"]*\/sign-in\/link\/[^"]+)"/.exec(made.text)[1];
    assert.ok(link.startsWith(server.url));
    assert.equal((await member.open(link)).location, '/my');
    member.person = person;
    return member;
}

const openChange = async () => /\/admin\/changes\/(\d+)/.exec((await ada.get('/admin/changes')).text)?.[0];

test('an admin adds a member and hands over a link that is shown once', async () => {
    lin = await addMember({ email: 'lin@lab.example', name_han: '林晓', given_latin: 'Xiao',
        family_latin: 'Lin' });
    assert.equal(lin.person, `/admin/people/${slug}`);
    const again = await ada.get(lin.person);
    assert.doesNotMatch(again.text, /\/sign-in\/link\/[\w-]{43}/);
    const list = await ada.get('/admin/people');
    assert.match(list.text, /lin@lab\.example/);
    const twice = await ada.submit(await ada.get('/admin/people/new'), '/admin/people/new',
        { role: 'phd', language: 'en', email: 'LIN@lab.example', family_latin: 'Other' });
    assert.equal(twice.status, 422);
    assert.match(twice.text, /has an account already/);
    assert.match(twice.text, /value="Other"/);
});

test('a member’s profile waits for review, is approved, and visitors see it', async () => {
    const overview = await lin.get('/my');
    assert.equal(overview.status, 200, overview.text);
    const sent = await lin.submit(await lin.get('/my/profile'), '/my/profile',
        { interests_en: 'tiered memory', interests_zh: '分层内存' });
    assert.equal(sent.location, '/my?notice=submitted', sent.text);
    const waiting = await lin.follow(sent);
    assert.match(waiting.text, /waiting for review/);
    const publicly = `/en/people/${slug}`;
    assert.doesNotMatch((await new Visitor(server).get(publicly)).text, /tiered memory/);

    const path = await openChange();
    const review = await ada.get(path);
    assert.match(review.text, /<ins>tiered memory<\/ins>/);
    assert.match(review.text, /<ins>分层内存<\/ins>/);
    const decided = await ada.submit(review, `${path}/approve`);
    assert.equal(decided.location, '/admin/changes?notice=approved', decided.text);
    assert.match((await new Visitor(server).get(publicly)).text, /tiered memory/);
    assert.match((await new Visitor(server).get(`/zh/people/${slug}`)).text, /分层内存/);
    // A second decision on the same page is refused and says why.
    const second = await ada.submit(review, `${path}/approve`);
    assert.equal(second.status, 409);
    assert.match(second.text, /approved already/);
});

test('a returned change comes back with the reviewer’s words and can be sent again',
    async () => {
        await lin.submit(await lin.get('/my/profile'), '/my/profile', { office: 'West 301' });
        const path = await openChange();
        const empty = await ada.submit(await ada.get(path), `${path}/return`, { comment: '' });
        assert.equal(empty.status, 422);
        const returned = await ada.submit(await ada.get(path), `${path}/return`,
            { comment: 'The building is called West-2 now.' });
        assert.equal(returned.status, 303, returned.text);
        const page = await lin.get('/my');
        assert.match(page.text, /returned<\/span>/);
        assert.match(page.text, /West-2 now/);
        const again = await lin.get('/my/profile');
        assert.match(again.text, /value="West 301"/);
        assert.match(again.text, /West-2 now/);
        const sent = await lin.submit(again, '/my/profile', { office: 'West-2 301' });
        assert.equal(sent.location, '/my?notice=submitted', sent.text);
        const seen = await ada.get(path);
        await lin.submit(await lin.get('/my/profile'), '/my/profile', { office: 'West-2 302' });
        // The admin decides on what is no longer there.
        const stale = await ada.submit(seen, `${path}/approve`);
        assert.equal(stale.status, 409);
        assert.match(words(stale), /West-2 302/);
        assert.equal((await ada.submit(await ada.get(path), `${path}/approve`)).status, 303);
    });

test('editing on top of a newer version shows both texts and keeps what was typed',
    async () => {
        const form = await lin.get('/my/profile');
        const edit = `${lin.person}/edit`;
        const saved = await ada.submit(await ada.get(edit), edit, { phone: '+86 10 5555 0100' });
        assert.equal(saved.location, `${lin.person}?notice=saved`, saved.text);
        const stale = await lin.submit(form, '/my/profile', { biography_en: 'Mine, typed long.' });
        assert.equal(stale.status, 409);
        assert.match(stale.text, /Somebody else has changed this meanwhile/);
        assert.match(stale.text, /5555 0100/);
        assert.match(stale.text, /Mine, typed long\./);
        assert.equal(server.database.value("select count(*)::int from change where state = 'submitted'"), 0);
        // Deciding: the same form again, now on the newer version.
        const sent = await lin.submit(stale, '/my/profile', { phone: '+86 10 5555 0100' });
        assert.equal(sent.status, 303, sent.text);
        const path = await openChange();
        assert.equal((await ada.submit(await ada.get(path), `${path}/approve`)).status, 303);
        const person = server.database.query('select phone, biography_en from person')[0];
        assert.deepEqual(person, { phone: '+86 10 5555 0100', biography_en: 'Mine, typed long.' });
    });

test('two windows of one member don’t overwrite each other', async () => {
    const [first, second] = [await lin.get('/my/profile'), await lin.get('/my/profile')];
    assert.equal((await lin.submit(first, '/my/profile', { office: 'East 1' })).status, 303);
    const stale = await lin.submit(second, '/my/profile', { interests_en: 'something else' });
    assert.equal(stale.status, 409, stale.text);
    assert.match(words(stale), /East 1/);
    const path = /\/my\/changes\/\d+/.exec((await lin.get('/my')).text)[0];
    const gone = await lin.submit(await lin.get(path), `${path}/withdraw`);
    assert.equal(gone.location, '/my?notice=withdrawn', gone.text);
    assert.equal(await openChange(), undefined);
});

test('what a form doesn’t know is refused, and errors keep what was typed', async () => {
    const page = await lin.get('/my/profile');
    for (const extra of [['is_admin', '1'], ['slug', 'other'], ['id', '1'],
        ['appointments.0.role', 'faculty']]) {
        const answer = await lin.submit(page, '/my/profile', { office: 'North 7' },
            { extra: [extra] });
        assert.equal(answer.status, 422, extra[0]);
        assert.match(answer.text, /value="North 7"/);
    }
    const wrong = await lin.submit(page, '/my/profile', { email: 'lin@', office: 'North 7' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /value="lin@"/);
    assert.match(wrong.text, /value="North 7"/);
    assert.equal(await openChange(), undefined);
});

test('another member’s change is not there, nor are the admin’s pages', async () => {
    await lin.submit(await lin.get('/my/profile'), '/my/profile', { office: 'South 9' });
    const path = /\/my\/changes\/\d+/.exec((await lin.get('/my')).text)[0];
    const bo = await addMember({ email: 'bo@lab.example', family_latin: 'Ouyang',
        given_latin: 'Bo', name_han: '欧阳博' });
    assert.equal((await bo.get(path)).status, 404);
    assert.equal((await bo.get(`${path}/edit`)).status, 404);
    const own = await bo.get('/my');
    assert.equal((await bo.post(`${path}/withdraw`, { version: '1',
        csrf: /name="csrf" value="([^"]+)"/.exec(own.text)[1] })).status, 404);
    for (const admins of ['/admin', '/admin/people', '/admin/changes', '/admin/lab',
        '/admin/tokens', '/admin/events', '/admin/publications', path.replace('my', 'admin')])
        assert.equal((await bo.get(admins)).status, 404, admins);
    await lin.submit(await lin.get(path), `${path}/withdraw`);
});

test('a publication by form', async () => {
    const page = await lin.get('/my/publications/new');
    assert.equal(page.status, 200, page.text);
    const sent = await lin.submit(page, '/my/publications/new', { kind: 'conference',
        title: 'Ferry: Moving Pages Before They Are Missed', 'authors.0.name': 'Xiao Lin',
        'identifiers.0.scheme': 'doi', 'identifiers.0.value': '10.5555/ferry.2026',
        venue: 'OSDI', year: '2026' });
    assert.equal(sent.location, '/my?notice=submitted', sent.text);
    const path = await openChange();
    const review = await ada.get(path);
    assert.match(review.text, /Ferry: Moving Pages/);
    assert.doesNotMatch(review.text, /<ins>/); // all of it is new
    assert.equal((await ada.submit(review, `${path}/approve`)).status, 303);
    const slugOf = server.database.value('select slug from publication');
    assert.match((await new Visitor(server).get(`/zh/publications/${slugOf}`)).text, /Ferry/);
    // The work is now among the member's own, and can be corrected.
    assert.match((await lin.get('/my')).text, new RegExp(`/my/publications/${slugOf}`));
    const edit = `/my/publications/${slugOf}`;
    const corrected = await lin.submit(await lin.get(edit), edit, { pages: '1–17' });
    assert.equal(corrected.location, '/my?notice=submitted', corrected.text);
    const next = await openChange();
    assert.equal((await ada.submit(await ada.get(next), `${next}/approve`)).status, 303);
});

test('publications from BibTeX are shown as understood, then sent in', async () => {
    const bibtex = `@string{osdi = "OSDI"}
@inproceedings{lin2025, author = {Lin, Xiao and Gro{\\ss}, Uli}, title = {An {FPGA-}Based Router},
  booktitle = osdi, year = 2025}
@article{broken, title = {Cache {line}, year = 2024}

@article{tang2024, author = {Tang, Wei}, title = {A Cost Model & more}, journal = {TOCS}, year = 2024,}
@inproceedings{ferry, author = {Lin, Xiao}, title = {Ferry: Moving Pages Before They Are Missed}, booktitle = {OSDI}, year = 2026, doi = {10.5555/FERRY.2026}}
`;
    const page = await lin.get('/my/imports');
    const empty = await lin.submit(page, '/my/imports', { text: '' });
    assert.equal(empty.status, 422);
    const read = await lin.submit(page, '/my/imports', { text: bibtex });
    const path = new URL(read.location, server.url).pathname;
    const preview = await lin.get(path);
    assert.match(preview.text, /An FPGA-Based Router/);
    assert.match(preview.text, /Uli Groß/);
    assert.match(preview.text, /A Cost Model &amp; more/);
    assert.match(preview.text, /Line \d+:/);
    assert.match(preview.text, /It is here/);
    const sent = await lin.submit(preview, path, { action: 'apply' });
    assert.equal(sent.status, 303, sent.text);
    const rows = server.database.query(`select document->>'title' as title,
        document->>'bibtex' as bibtex from change where state = 'submitted' order by id`);
    assert.deepEqual(rows.map((r) => r.title), ['An FPGA-Based Router', 'A Cost Model & more']);
    // An entry is kept to the byte, or, with an abbreviation from elsewhere, whole by itself.
    assert.ok(bibtex.includes(rows[1].bibtex), rows[1].bibtex);
    assert.match(rows[0].bibtex, /booktitle = \{OSDI\}/);
    // Sent twice, by a lost reply or an impatient hand: nothing doubles.
    await lin.submit(preview, path, { action: 'apply' });
    assert.equal(server.database.value("select count(*)::int from change where state = 'submitted'"), 2);
    const again = await lin.submit(page, '/my/imports', { text: bibtex });
    assert.match((await lin.get(new URL(again.location, server.url).pathname)).text, /In review/);
});

test('the admin’s tables and forms', async () => {
    for (const path of ['/admin', '/admin/people', '/admin/changes', '/admin/publications',
        '/admin/publications?q=ferry', '/admin/publications/new', '/admin/lab', '/admin/tokens',
        '/admin/events', lin.person, `${lin.person}/edit`])
        for (const language of ['en', 'zh']) {
            const glue = path.includes('?') ? '&' : '?';
            const page = await ada.get(`${path}${glue}lang=${language}`);
            assert.equal(page.status, 200, `${path} ${page.text}`);
        }
    await ada.get('/admin?lang=en');
    const lab = await ada.submit(await ada.get('/admin/lab'), '/admin/lab',
        { name_en: 'Lantern Systems Lab', name_zh: '灯塔系统实验室' });
    assert.equal(lab.location, '/admin?notice=saved', lab.text);
    assert.match((await new Visitor(server).get('/zh/')).text, /灯塔系统实验室/);
});

test('a roster is tried out before it is imported', async () => {
    const roster = '姓名,Given name,Family name,E-mail,身份,座位\n' +
        '唐薇,Wei,Tang,tang@lab.example,博士后,3\n林晓,Xiao,Lin,lin@lab.example,博士生,4\n' +
        '坏行,Bad,Row,not an address,博士生,5\n';
    const people = () => server.database.value('select count(*)::int from person');
    const before = people();
    const page = await ada.get('/admin/import');
    const nothing = await ada.submit(page, '/admin/import', { kind: 'people', text: 'a;b\n1;2\n' });
    assert.equal(nothing.status, 422);
    const trial = await ada.submit(page, '/admin/import', { kind: 'people', text: roster });
    assert.equal(trial.status, 200, trial.text);
    assert.match(trial.text, /座位/);
    assert.match(trial.text, /Line 4/);
    assert.equal(people(), before);
    const done = await ada.submit(trial, '/admin/import/apply');
    assert.equal(done.status, 200, done.text);
    assert.equal(people(), before + 1);
    assert.match((await ada.get('/admin/people')).text, /tang@lab\.example/);
    const bib = await ada.submit(page, '/admin/import', { kind: 'publications',
        text: '@article{x, title={A Note on Ferries}, author={Tang, Wei}, journal={TOCS}, year=2023}' });
    assert.equal(bib.status, 200, bib.text);
    assert.equal((await ada.submit(bib, '/admin/import/apply')).status, 200);
    assert.match((await ada.get('/admin/publications?q=ferries')).text, /A Note on Ferries/);
});

test('a new slug is a new address, and the way back leads there', async () => {
    const edit = `${(await addMember({ email: 'moving@lab.example', given_latin: 'Mo',
        family_latin: 'Ving' })).person}/edit`;
    const saved = await ada.submit(await ada.get(edit), edit, { slug: '莫文' });
    assert.equal(saved.status, 303, saved.text);
    const there = await ada.follow(saved);
    assert.equal(there.status, 200, saved.location);
    assert.match(decodeURI(saved.location), /\/admin\/people\/莫文\?notice=saved/);
});

test('an API token is shown once, kept as a hash, and dead when revoked', async () => {
    const page = await ada.submit(await ada.get('/admin/tokens'), '/admin/tokens',
        { name: 'nightly import', may_approve: 'true' });
    const token = /value="([\w-]{43})" readonly/.exec(page.text)[1];
    assert.doesNotMatch((await ada.get('/admin/tokens')).text, new RegExp(token));
    assert.equal(server.database.value(`select count(*)::int from api_token
        where encode(token_hash, 'escape') like '%${token}%'`), 0);
    const api = (body, headers) => new Visitor(server).request('POST', '/api/v1/people',
        { body, headers: { 'Content-Type': 'application/json', ...headers } });
    const body = JSON.stringify({ family_latin: 'Groß', given_latin: 'Uli' });
    const bearer = { Authorization: `Bearer ${token}` };
    assert.equal((await api(body, {})).status, 401);
    assert.equal((await api(body, { Authorization: `Bearer ${'A'.repeat(43)}` })).status, 401);
    // A session's cookie is no token; and a form can't send JSON.
    assert.equal((await api(body, { Cookie: `labd=${ada.cookies.get('labd')}` })).status, 401);
    assert.equal((await api(body, { ...bearer, 'Content-Type': 'text/plain' })).status, 415);
    const made = await api(body, bearer);
    assert.ok([200, 201].includes(made.status), made.text);
    // The token may approve, so the person is there, without an account; the first admin's
    // account, which is nobody's, can be tied to it, another's can't.
    const person = `/admin/people/${server.database.value(
        "select slug from person where family_latin = 'Groß'")}`;
    const taken = await ada.submit(await ada.get(person), `${person}/account`,
        { email: 'bo@lab.example' });
    assert.equal(taken.status, 422);
    const tied = await ada.submit(taken, `${person}/account`, { email: 'ada@lab.example' });
    assert.equal(tied.location, `${person}?notice=created`, tied.text);
    assert.equal((await ada.follow(tied)).status, 200);
    assert.equal((await ada.get('/my/profile')).status, 200);
    const revoke = /\/admin\/tokens\/\d+\/revoke/.exec(page.text)[0];
    assert.equal((await ada.submit(page, revoke)).status, 303);
    assert.match((await ada.get('/admin/tokens')).text, /revoked/);
    assert.equal((await api(body, bearer)).status, 401);
});

test('a disabled account is signed out and its links are dead', async () => {
    const made = await ada.submit(await ada.get(lin.person), `${lin.person}/links`);
    const link = /value="(http[^"]*\/sign-in\/link\/[^"]+)"/.exec(made.text)[1];
    const off = await ada.submit(made, `${lin.person}/disabled`);
    assert.equal(off.location, `${lin.person}?notice=account_disabled`, off.text);
    assert.equal((await lin.get('/my')).status, 303);
    assert.equal((await lin.get(new URL(link).pathname)).status, 410);
    const on = await ada.submit(await ada.get(lin.person), `${lin.person}/disabled`);
    assert.equal(on.location, `${lin.person}?notice=account_enabled`, on.text);
});

test('the log tells who did what, without secrets', async () => {
    const events = server.database.query('select action, actor from event order by id');
    for (const action of ['account.created', 'sign_in_link.redeemed', 'change.approved',
        'change.returned', 'account.disabled'])
        assert.ok(events.some((e) => e.action === action), action);
    assert.ok(!server.log.some((line) => /sign-in\/link\/[\w-]{43}/.test(line)));
});
