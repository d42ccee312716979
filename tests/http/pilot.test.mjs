// The pilot from both its ends: members answer, stumble and say so; the organiser reads it
// beside each question, mends the form, and sees that it was mended.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { seedCollection } from '../support/collection.mjs';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server;
let ada;

const label = (en, zh) => ({ en, zh });
const fields = [
    { name: 'phone', type: 'phone', label: label('Phone', '电话') },
    { name: 'office', type: 'text', label: label('Office', '办公室'), max_length: 20 },
    { name: 'links', type: 'group', label: label('Links', '链接'), fields: [
        { name: 'url', type: 'url', label: label('Address', '网址'), required: true }] }];

before(async () => {
    server = await startServer();
    ada = await admin(server);
});
after(() => server.stop());

const plain = (page) => page.text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

async function signedIn(email) {
    const { person } = server.database.query(`select p.slug as person from account a
        join person p on p.id = a.person_id where a.email = '${email}'`)[0];
    const page = await ada.get(`/admin/people/${person}`);
    const made = await ada.submit(page, `/admin/people/${person}/links`);
    const member = new Visitor(server);
    await member.open(/http:\/\/[^"<\s]*\/sign-in\/link\/[\w-]+/.exec(made.text)[0]);
    return member;
}

test('what members of the pilot did and said stands beside each question', async () => {
    const made = seedCollection(server.database, [
        { given: 'Xiao', family: 'Lin', email: 'lin@lab.example' },
        { given: 'Bo', family: 'Wu', email: 'wu@lab.example' },
        { given: 'Never', family: 'Came', email: 'never@lab.example' }], { fields });
    server.database.run(`update wave set kind = 'pilot' where id = ${made.wave};
        update invitation set pilot = true where wave_id = ${made.wave}`);
    const board = `/admin/collections/${made.collection}`;
    assert.match(plain(await ada.get(`${board}/pilot`)), /Nobody has opened the form yet/);

    const base = `/my/collections/${made.collection}`;
    const section = `${base}/sections/1`;
    const lin = await signedIn('lin@lab.example');
    await lin.submit(await lin.get(section), section, { phone: 'call me',
        'links.0.url': 'no address', action: 'next' });
    await lin.submit(await lin.get(section), section, { phone: '+86 10 5555 0100',
        'links.0.url': 'https://lab.example/', action: 'next' });
    const said = await lin.submit(await lin.get(section), `${base}/feedback`,
        { question: 'office', unclear: 'true', comment: 'Mine, or the <lab>’s?' });
    assert.equal(said.status, 303, said.text);
    const sent = await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
    assert.equal(sent.location, `${base}/receipt`, sent.text);
    const wu = await signedIn('wu@lab.example');
    await wu.get(section);

    const page = await ada.get(`${board}/pilot`);
    const words = plain(page);
    assert.match(words, /3 asked 2 opened it 1 began 1 sent it in/);
    assert.match(words, /Phone Edit this question Phone Had to be corrected Not a phone number: 1 ×, by one person/);
    assert.match(words, /Links Edit this question Links Had to be corrected (A web address without https:\/\/|Not a web address): 1 ×/);
    assert.match(words, /Office Edit this question Office unclear Mine, or the &lt;lab&gt;’s\? Xiao Lin/);
    assert.match(words, /One person stopped here/);
    assert.match(page.text, new RegExp(`href="${board}/form/questions/office"`));
    const chinese = plain(await ada.get(`${board}/pilot?lang=zh`));
    assert.match(chinese, /不是电话号码：1 次，1 人/);
    await ada.get(`${board}/pilot?lang=en`);

    // The question is mended: the page says so, and leads on.
    const question = `${board}/form/questions/office`;
    await ada.submit(await ada.get(question), question,
        { hint_en: 'Your own.', hint_zh: '您自己的。' });
    const mended = await ada.get(`${board}/pilot`);
    assert.match(plain(mended), /Changed since unclear Mine/);
    assert.match(plain(mended), /Changed: “Office” — help/);
    assert.match(mended.text, new RegExp(`href="${board}/waves"`));
    const removed = await ada.submit(await ada.get(`${board}/form`), `${board}/form`,
        { action: 'remove:phone' });
    assert.equal(removed.status, 303);
    const without = await ada.get(`${board}/pilot`);
    assert.doesNotMatch(without.text, /questions\/phone"/);
    assert.match(plain(without), /Phone Removed since/);
});

test('a section that somebody else has moved meanwhile is not written over', async () => {
    const made = seedCollection(server.database, [], { fields });
    const form = `/admin/collections/${made.collection}/form`;
    const path = `${form}/sections/0`;
    const page = await ada.get(path);
    await ada.submit(await ada.get(`${form}/new-section`), `${form}/new-section`,
        { title_en: 'Other', title_zh: '其他' });
    await ada.submit(await ada.get(form), form, { action: 'section_up:1' });
    const stale = await ada.submit(page, path, { title_en: 'Mine' });
    assert.equal(stale.status, 409);
    assert.match(plain(stale), /New section: “Other”/);
    assert.match(stale.text, /name="title_en"[^>]*value="Mine"/);
    const titles = () => server.database.value(`select json_agg(s -> 'title' ->> 'en')
        from collection, json_array_elements(definition -> 'sections') s
        where id = ${made.collection}`);
    assert.deepEqual(titles(), ['Other', 'About you']);
    // Done on the form as it is now, it is the same section that changes.
    assert.equal((await ada.submit(stale, `${form}/sections/1`)).status, 303);
    assert.deepEqual(titles(), ['Other', 'Mine']);
    // One that is gone can be made anew of what was typed.
    const last = await ada.get(`${form}/sections/1`);
    await ada.submit(await ada.get(form), form, { action: 'section_remove:1' });
    const gone = await ada.submit(last, `${form}/sections/1`, { title_en: 'Back' });
    assert.equal(gone.status, 409, gone.text);
    assert.equal((await ada.submit(gone, `${form}/new-section`)).status, 303);
    assert.deepEqual(titles(), ['Other', 'Back']);
    // A button whose number may mean another section is not offered again.
    const old = await ada.get(form);
    await ada.submit(await ada.get(form), form, { action: 'section_up:1' });
    const pressed = await ada.submit(old, form, { action: 'section_remove:0' });
    assert.equal(pressed.status, 409);
    assert.equal(pressed.forms.some((f) => f.action === form &&
        /<button/.test(f.inside)), false);
    assert.deepEqual(titles(), ['Back', 'Other']);
});
