// Photos: uploaded without scripts, held while another field is mended, replaced and
// removed, seen by those who may see them, and by nobody else.

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { photographed, png, quarters } from '../support/picture.mjs';
import { program, run, startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server;
let ada;
let lin; // a member
let mo; // another
const file = (bytes, filename = 'me.png', type = 'image/png') => ({ bytes, filename, type });
const shown = (page) => /src="\/photos\/(photo-[\w-]{43})\/240\.\w+"/.exec(page.text)?.[1];
const profile = (who) => who.get('/my/profile');

async function member(values) {
    const added = await ada.submit(await ada.get('/admin/people/new'), '/admin/people/new',
        { role: 'phd', language: 'en', ...values });
    assert.equal(added.status, 303, added.text);
    const person = new URL(added.location, server.url).pathname;
    const made = await ada.submit(await ada.get(person), `${person}/links`);
    const visitor = new Visitor(server);
    await visitor.open(/value="(http[^"]*\/sign-in\/link\/[^"]+)"/.exec(made.text)[1]);
    visitor.slug = person.split('/').pop();
    return visitor;
}

async function approve() {
    const path = /\/admin\/changes\/(\d+)/.exec((await ada.get('/admin/changes')).text)[0];
    const review = await ada.get(path);
    assert.equal((await ada.submit(review, `${path}/approve`)).status, 303);
    return review;
}

before(async () => {
    server = await startServer();
    ada = await admin(server);
    lin = await member({ email: 'lin@lab.example', given_latin: 'Xiao', family_latin: 'Lin' });
    mo = await member({ email: 'mo@lab.example', given_latin: 'Mo', family_latin: 'Chen' });
});
after(() => server.stop());

let held;

test('a photo is held and shown while another field is corrected', async () => {
    const wrong = await lin.submit(await profile(lin), '/my/profile',
        { photo: file(quarters(400, 400)), orcid: 'x' });
    assert.equal(wrong.status, 422);
    held = shown(wrong);
    assert.ok(held, 'the page shows the photo');
    assert.doesNotMatch(wrong.text, /error\.photo/);
    assert.equal((await lin.get(`/photos/${held}/240.webp`)).status, 200);
    for (const other of [new Visitor(server), mo])
        assert.equal((await other.get(`/photos/${held}/240.webp`)).status, 404);
    const sent = await lin.submit(wrong, '/my/profile', { orcid: '' });
    assert.equal(sent.location, '/my?notice=submitted', sent.text);
});

test('it waits for review, where it is seen, and then everybody sees it', async () => {
    const visitor = new Visitor(server);
    assert.equal(shown(await visitor.get(`/en/people/${lin.slug}`)), undefined);
    assert.equal(shown(await approve()), held);
    const page = await visitor.get(`/en/people/${lin.slug}`);
    assert.equal(shown(page), held);
    assert.match(page.text, /alt="Photo of Xiao Lin"/);
    assert.equal(shown(await visitor.get('/en/people')), held);
    for (const [name, type] of [['96.webp', 'image/webp'], ['240.jpg', 'image/jpeg'],
        ['640.webp', 'image/webp']]) {
        const part = await visitor.get(`/photos/${held}/${name}`);
        assert.equal(part.status, 200);
        assert.equal(part.headers['content-type'], type);
        assert.match(part.headers['cache-control'], /^public, .*immutable/);
        assert.equal(part.headers['x-content-type-options'], 'nosniff');
        assert.equal((await visitor.get(`/photos/${held}/${name}`,
            { headers: { 'If-None-Match': part.headers.etag } })).status, 304);
    }
    for (const name of ['640.png', '..%2f', 'a', '240.webp%00'])
        assert.notEqual((await visitor.get(`/photos/${held}/${name}`)).status, 200);
});

test('saved again as it is, nothing changes; replaced, the other one waits', async () => {
    const same = await lin.submit(await profile(lin), '/my/profile');
    assert.equal(same.location, '/my?notice=unchanged');
    const sent = await lin.submit(await profile(lin), '/my/profile',
        { photo: file(quarters(300, 500)) });
    assert.equal(sent.location, '/my?notice=submitted', sent.text);
    const review = await approve();
    const both = new Set([...review.text.matchAll(/\/photos\/(photo-[\w-]{43})/g)]
        .map(([, token]) => token));
    assert.equal(both.size, 2, 'the review shows the old and the new photo');
    const now = shown(await new Visitor(server).get(`/en/people/${lin.slug}`));
    assert.notEqual(now, held);
    assert.equal((await new Visitor(server).get(`/photos/${held}/240.webp`)).status, 404);
    held = now;
});

test('members alone see what is for members', async () => {
    const sent = await lin.submit(await profile(lin), '/my/profile',
        { 'visibility.photo': 'members' });
    assert.equal(sent.location, '/my?notice=submitted', sent.text);
    await approve();
    const visitor = new Visitor(server);
    assert.equal(shown(await visitor.get(`/en/people/${lin.slug}`)), undefined);
    assert.equal((await visitor.get(`/photos/${held}/240.webp`)).status, 404);
    const seen = await mo.get(`/photos/${held}/240.webp`);
    assert.equal(seen.status, 200);
    assert.match(seen.headers['cache-control'], /private/);
    assert.equal(shown(await mo.get(`/members/${lin.slug}`)), held);
    assert.equal(shown(await mo.get(`/en/people/${lin.slug}`)), undefined);
    for (const [as, sees] of [['visitor', false], ['member', true], ['advisor', true],
        ['admin', true], ['nonsense', false]])
        assert.equal(shown(await lin.get(`/my/page?as=${as}`)) === held, sees, as);
});

test('a photo is removed', async () => {
    const sent = await lin.submit(await profile(lin), '/my/profile',
        { 'photo.remove': 'true' });
    assert.equal(sent.location, '/my?notice=submitted', sent.text);
    await approve();
    assert.equal(shown(await profile(lin)), undefined);
    assert.equal((await mo.get(`/photos/${held}/240.webp`)).status, 404);
});

test('nobody takes a file that somebody else uploaded', async () => {
    const wrong = await lin.submit(await profile(lin), '/my/profile',
        { photo: file(quarters(200, 200)), orcid: 'x' });
    const theirs = shown(wrong);
    for (const values of [{ 'photo.kept': theirs }, { 'photo': theirs },
        { 'photo.kept': `photo-${'A'.repeat(43)}` }]) {
        const taken = await mo.submit(await profile(mo), '/my/profile', values);
        assert.equal(taken.status, 422, taken.text);
        assert.match(taken.text, /not yours to use/);
    }
    for (const nonsense of ['../../etc/passwd', 'photo-x', '<script>', 'x'.repeat(5000)]) {
        const sent = await mo.submit(await profile(mo), '/my/profile',
            { 'photo.kept': nonsense });
        assert.equal(sent.status, 422, nonsense);
        assert.doesNotMatch(sent.text, /<script>"|src="\/photos\/\.\./);
    }
    assert.equal(server.database.value(`select count(*)::int from change where author_id =
        (select id from account where email = 'mo@lab.example')`), 0);
});

// Each kind of file that is no fit photo: a sentence about it, nothing lost, nothing kept.
const jpegSoi = Buffer.from([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0]);
const hostile = {
    'an empty JPEG': [jpegSoi, /damaged/],
    'a page named photo.jpg': [Buffer.from('<!doctype html><script>alert(1)</script>'),
        /no picture/],
    'a vector picture': [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
        /Pictures of this kind/],
    'a HEIC': [Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), /HEIC/],
    'an AVIF': [Buffer.from('\0\0\0\x18ftypavif\0\0\0\0avifmif1'), /AVIF/],
    'a GIF': [Buffer.from('GIF89a\x01\0\x01\0\0\0\0;'), /GIF/],
    'half of a picture': [quarters(500, 500).subarray(0, 900), /end .* missing|damaged/],
    'a tiny one': [quarters(50, 50), /too small/],
    'an animation': [png(200, 200, () => [9, 9, 9],
        { before: [['acTL', '\0\0\0\x02\0\0\0\0']] }), /moves/],
    'eleven megabytes': [Buffer.alloc(11 << 20, 0x20), /larger than 10 MB/],
};
for (const [name, [bytes, words]] of Object.entries(hostile))
    test(`${name} gets a clear answer and loses nothing that was typed`, async () => {
        const answer = await mo.submit(await profile(mo), '/my/profile',
            { photo: file(bytes, 'photo.jpg', 'image/jpeg'), interests_en: 'kept words' });
        assert.equal(answer.status, 422);
        assert.match(answer.text, words);
        assert.match(answer.text, /kept words/);
        assert.equal(shown(answer), undefined);
    });

test('picture after picture, one member does not keep the server busy', async () => {
    const page = await profile(mo);
    const send = () => mo.submit(page, '/my/profile',
        { photo: file(Buffer.from('no picture')), interests_en: 'kept words' });
    let answer;
    for (let i = 0; i < 61; i++) answer = await send();
    assert.equal(answer.status, 422);
    assert.match(answer.text, /kept words/);
    assert.match(answer.text, /Many photos are/);
    server.database.run("delete from rate where key like 'photo:%'");
    assert.match((await send()).text, /no picture/);
});

test('what a camera noted is gone, and the picture upright', async () => {
    const made = await mo.submit(await profile(mo), '/my/profile',
        { photo: file(png(640, 640, (x, y) => [x / 3, y / 3, 99])), orcid: 'x' });
    const plain = (await mo.get(`/photos/${shown(made)}/640.jpg`)).bytes;
    const camera = photographed(plain, 6);
    assert.ok(camera.includes('Testcam'));
    const sent = await mo.submit(await profile(mo), '/my/profile',
        { photo: file(camera, 'IMG_1.JPG', 'image/jpeg'), orcid: 'x' });
    for (const name of ['96', '240', '640'].flatMap((n) => [`${n}.jpg`, `${n}.webp`])) {
        const { bytes, status } = await mo.get(`/photos/${shown(sent)}/${name}`);
        assert.equal(status, 200);
        for (const note of ['Testcam', 'Exif', 'EXIF', 'XMP', 'ICC'])
            assert.ok(!bytes.includes(note), `${name} holds ${note}`);
    }
});

test('what nobody used is swept after a week, what a change names stays', async () => {
    const count = () => server.database.value('select count(*)::int from file');
    const before = count();
    server.database.run(`update file set created_at = now() - interval '8 days'`);
    await admin(server); // signing in sweeps
    assert.ok(count() < before);
    assert.equal(count(), server.database.value('select count(*)::int from file where kept'));
    assert.ok(count() >= 2);
});

test('labd says when the program that makes photos is not beside it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'labd-alone-'));
    copyFileSync(program, join(folder, 'labd'));
    const env = { LABD_DATABASE: server.database.conninfo };
    const alone = await run(join(folder, 'labd'), env, 'check');
    rmSync(folder, { recursive: true });
    assert.notEqual(alone.status, 0);
    assert.match(alone.stderr, /photos can't be taken: .*labd-alone-\w+\/labd-photo/);
    assert.equal((await server.labd('check')).status, 0);
});
