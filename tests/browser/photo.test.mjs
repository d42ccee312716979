// Photos in a browser: what a camera stored turned stands upright, pixel for pixel; the part
// to show is chosen on a phone, by hand and by keys; without scripts the middle is shown.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person, expectAccessible, launch, words } from '../support/browser.mjs';
import { photographed, png, quarters } from '../support/picture.mjs';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

const [width, height] = [400, 600]; // of the upright picture
const colours = [[220, 30, 30], [30, 180, 30], [30, 30, 220], [240, 240, 240]];
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, deviceScaleFactor: 2 };
const en = (key) => words('en', key);

let browser;
let desk; // a page on the site, for making and reading pictures
let server;
let ada;

before(async () => {
    browser = await launch();
    server = await startServer();
    ada = await admin(server);
    desk = await (await browser.newContext({ baseURL: server.url })).newPage();
    await desk.goto('/en/people');
});
after(async () => {
    await browser.close();
    await server.stop();
});

async function addMember(email) {
    const added = await ada.submit(await ada.get('/admin/people/new'), '/admin/people/new',
        { role: 'phd', language: 'en', email, given_latin: 'Xiao', family_latin: 'Lin' });
    const person = new URL(added.location, server.url).pathname;
    const made = await ada.submit(await ada.get(person), `${person}/links`);
    const link = /value="(http[^"]*\/sign-in\/link\/[^"]+)"/.exec(made.text)[1];
    return { link, slug: person.split('/').pop() };
}

// PNG to JPEG, by the browser's own encoder.
async function jpeg(bytes) {
    const base64 = await desk.evaluate(async (data) => {
        const source = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([source]));
        const canvas = new OffscreenCanvas(picture.width, picture.height);
        canvas.getContext('2d').drawImage(picture, 0, 0);
        const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
        let text = '';
        for (const byte of new Uint8Array(await blob.arrayBuffer()))
            text += String.fromCharCode(byte);
        return btoa(text);
    }, bytes.toString('base64'));
    return Buffer.from(base64, 'base64');
}

// The pixels of an encoded picture at places given as fractions.
async function look(bytes, places) {
    return desk.evaluate(async ([data, where]) => {
        const source = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([source]));
        const canvas = new OffscreenCanvas(picture.width, picture.height);
        const context = canvas.getContext('2d');
        context.drawImage(picture, 0, 0);
        return { width: picture.width, height: picture.height, pixels: where.map(([x, y]) =>
            [...context.getImageData(Math.floor(x * picture.width),
                Math.floor(y * picture.height), 1, 1).data].slice(0, 3)) };
    }, [bytes.toString('base64'), places]);
}

const near = (a, b) => a.every((value, i) => Math.abs(value - b[i]) < 30);
const corners = [[.1, .1], [.9, .1], [.1, .9], [.9, .9]];

async function expectColours(bytes, expected, what) {
    const { pixels, ...size } = await look(bytes, corners);
    pixels.forEach((pixel, i) =>
        assert.ok(near(pixel, expected[i]), `${what}, corner ${i}: ${pixel}`));
    assert.equal(size.width, size.height);
    return size.width;
}

// Where a pixel of the stored picture is in the upright one (CIPA DC-008, Orientation).
const turned = {
    1: (x, y) => [x, y],
    2: (x, y) => [width - 1 - x, y],
    3: (x, y) => [width - 1 - x, height - 1 - y],
    4: (x, y) => [x, height - 1 - y],
    5: (x, y) => [y, x],
    6: (x, y) => [width - 1 - y, x],
    7: (x, y) => [width - 1 - y, height - 1 - x],
    8: (x, y) => [y, height - 1 - x],
};

function stored(orientation) {
    const upright = turned[orientation];
    const sideways = orientation > 4;
    return png(sideways ? height : width, sideways ? width : height, (x, y) => {
        const [u, v] = upright(x, y);
        return colours[(u * 2 < width ? 0 : 1) + (v * 2 < height ? 0 : 2)];
    });
}

test('each of the eight orientations comes out upright', async () => {
    const { link } = await addMember('turner@lab.example');
    const member = new Visitor(server);
    await member.open(link);
    for (let orientation = 1; orientation <= 8; orientation++) {
        const bytes = photographed(await jpeg(stored(orientation)), orientation);
        const page = await member.submit(await member.get('/my/profile'), '/my/profile',
            { orcid: 'x', photo: { bytes, filename: 'a.jpg', type: 'image/jpeg' } });
        const token = /\/photos\/(photo-[\w-]{43})/.exec(page.text)[1];
        for (const [name, size] of [['640.jpg', 400], ['240.webp', 240], ['96.jpg', 96]])
            assert.equal(await expectColours((await member.get(`/photos/${token}/${name}`))
                .bytes, colours, `orientation ${orientation}, ${name}`), size);
    }
});

async function arrive(member, link) {
    await member.open(new URL(link).pathname);
    await member.press(en('sign_in.link_submit'));
    await member.open('/my/profile');
}

const visitor = () => new Visitor(server);
const photoOf = (page) => /\/photos\/(photo-[\w-]{43})/.exec(page.text)?.[1];

async function approve() {
    const path = /\/admin\/changes\/(\d+)/.exec((await ada.get('/admin/changes')).text)[0];
    assert.equal((await ada.submit(await ada.get(path), `${path}/approve`)).status, 303);
}

test('on a phone: a turned photo, its part chosen, held while another field is mended',
    async () => {
        const { link, slug } = await addMember('lin@lab.example');
        const lin = await Person.sit(browser, server, phone);
        const { page } = lin;
        await arrive(lin, link);
        const bytes = photographed(await jpeg(stored(6)), 6);
        const input = page.locator('#f-photo');
        await input.setInputFiles({ name: 'IMG_0001.JPG', mimeType: 'image/jpeg', buffer: bytes });
        const frame = page.getByRole('group', { name: en('photo.crop') });
        await frame.waitFor();
        await expectAccessible(page);
        await lin.look();
        const crop = () => page.locator('[name="photo.crop"]').inputValue()
            .then((text) => text.split(' ').map(Number));
        assert.deepEqual(await crop(), [0, 0.166667, 1, 0.666667]);

        // By keys: larger, then to the top left.
        await frame.focus();
        for (let i = 0; i < 20; i++) await page.keyboard.press('+');
        for (let i = 0; i < 60; i++) await page.keyboard.press('ArrowLeft');
        for (let i = 0; i < 60; i++) await page.keyboard.press('ArrowUp');
        assert.deepEqual(await crop(), [0, 0, .25, .166667]);
        // By dragging: what is under the finger goes along.
        const box = await frame.boundingBox();
        const [x, y] = [box.x + box.width * .75, box.y + box.height / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x - box.width / 2, y, { steps: 4 });
        await page.mouse.up();
        assert.ok(Math.abs((await crop())[0] - .125) < .01, `${await crop()}`);
        // By sliders.
        await page.getByLabel(en('photo.across')).fill('0');
        await page.getByLabel(en('photo.down')).fill('100');
        assert.deepEqual(await crop(), [0, .833333, .25, .166667]);

        await page.locator('[name=orcid]').fill('not one');
        await lin.press(en('edit.save.my_person'), 422);
        await lin.expect(/16 digits/);
        const held = page.getByAltText(en('photo.now'));
        assert.equal(await held.evaluate((image) => image.decode().then(() =>
            image.naturalWidth)), 100);
        await page.locator('[name=orcid]').fill('');
        await lin.press(en('edit.save.my_person'));
        await lin.expect(/waiting for review/i);
        await approve();
        const token = photoOf(await visitor().get(`/en/people/${slug}`));
        await expectColours((await visitor().get(`/photos/${token}/640.jpg`)).bytes,
            [colours[2], colours[2], colours[2], colours[2]], 'the part at the bottom left');

        // Another file, thought better of; then one that is too large, and no picture.
        await lin.open('/my/profile');
        await input.setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: quarters(300, 300) });
        await frame.waitFor();
        await page.getByRole('button', { name: en('photo.forget') }).click();
        assert.equal(await input.inputValue(), '');
        await frame.waitFor({ state: 'hidden' });
        await input.setInputFiles({ name: 'c.png', mimeType: 'image/png',
            buffer: Buffer.alloc(11 << 20) });
        await page.getByText(en('error.photo_too_large')).waitFor();
        assert.equal(await input.inputValue(), '');
        await input.setInputFiles({ name: 'd.heic', mimeType: 'image/heic',
            buffer: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic') });
        await page.getByText(en('photo.unreadable')).waitFor();
        await lin.press(en('edit.save.my_person'), 422);
        await lin.expect(/HEIC/);
        assert.equal(photoOf({ text: await page.content() }), token, 'the old one stays');

        // Removed, and put back by withdrawing nothing: the page without one is whole.
        await page.getByLabel(en('photo.remove')).check();
        await lin.press(en('edit.save.my_person'));
        await approve();
        await lin.open(`/en/people/${slug}`);
        await lin.open('/my/page?as=member');
        await lin.leave();
    });

test('without scripts the middle is shown, in Chinese too', async () => {
    const { link, slug } = await addMember('mo@lab.example');
    const mo = await Person.sit(browser, server, { ...phone, javaScriptEnabled: false });
    const { page } = mo;
    await arrive(mo, link);
    assert.equal(await page.locator('.crop').isVisible(), false);
    await page.locator('#f-photo').setInputFiles({ name: 'a.png', mimeType: 'image/png',
        buffer: quarters(700, 500) });
    await mo.press(en('edit.save.my_person'));
    await approve();
    const token = photoOf(await visitor().get(`/zh/people/${slug}`));
    await expectColours((await visitor().get(`/photos/${token}/240.jpg`)).bytes, colours,
        'the middle');
    for (const path of [`/en/people/${slug}`, '/zh/people', '/en/', '/my/profile?lang=zh',
        `/members/${slug}?lang=zh`, '/my/page?as=visitor', '/my/page?as=advisor', '/my/profile'])
        await mo.open(path);
    await mo.leave();
});
