// A lab with people and an open collection, mails in its outbox, and their links.

import { derived, hashes, newTokens } from './smtp.mjs';

// Xiao (zh) and Bo (en) of the Tidal Lab, both asked to fill in "Profile 2027".
export function mailLab(database) {
    database.run(`
        insert into lab (name_en, name_zh, email) values ('Tidal "Systems", Lab', '潮汐实验室',
            'office@tides.example') on conflict (id) do update set name_en = excluded.name_en,
            name_zh = excluded.name_zh, email = excluded.email;
        insert into person (slug, given_latin, family_latin, name_han) values
            ('xiao-lin', 'Xiao', 'Lin', '林晓');
        insert into account (email, email_folded, language, person_id)
            select 'Xiao.Lin@Tides.example', 'xiao.lin@tides.example', 'zh', id from person
            where slug = 'xiao-lin';
        insert into account (email, email_folded) values
            ('bo@tides.example', 'bo@tides.example');
        insert into collection (kind, title_en, title_zh, deadline, definition, state)
            values ('custom', 'Profile 2027', '2027 年信息', current_date + 20,
            '{"title": {"en": "x", "zh": "x"}, "sections": []}', 'open');
        insert into form_version (collection_id, number, definition)
            select id, 1, definition from collection;
        insert into wave (collection_id, number, kind, form_version_id)
            select collection_id, 1, 'everyone', id from form_version;
        insert into invitation (collection_id, account_id, wave_id, pilot, form_version_id)
            select w.collection_id, a.id, w.id, false, w.form_version_id
            from wave w, account a`);
}

const text = (value) => value === null ? 'null' : `'${value.replaceAll("'", "''")}'`;
const list = (values) => `array[${values.map(text)}]`;

// Mails as mail_order() leaves them, but held: [{id, token}], in order. `stop`: one that
// can be stopped.
export function queue(database, count, { to = 'xiao.lin@tides.example', name = '林晓',
    template = 'receipt', subject = 'Received', language = 'en', next = '/my', stop = false,
    body = 'Dear you,\n\nHere it is:\n{{link}}\n\nCode: {{code}}\n' } = {}) {
    const tokens = newTokens(count);
    const found = hashes(tokens);
    const stops = stop ? hashes(derived(tokens, 'labd stop')) : found.map(() => null);
    database.run(`
        with asked as (select t.*, a.id as account, i.id as invitation
            from unnest(${list(tokens)}, ${list(found)}, ${list(stops)}) t(token, hash, stop)
            join account a on a.email_folded = ${text(to)}
            left join invitation i on i.account_id = a.id),
        links as (insert into sign_in_link (token_hash, account_id, expires_at, next,
                invitation_id, mailed)
            select decode(hash, 'hex'), account, now() + interval '72 hours', ${text(next)},
                invitation, true from asked
            returning id, encode(token_hash, 'hex') as hash)
        insert into mail (message_id, template, language, account_id, invitation_id, to_name,
            to_address, subject, body, secret, link_id, stop_hash, state)
        select 'labd.' || token || '@tides.example', ${text(template)}, ${text(language)},
            account, invitation, ${text(name)}, ${text(to)}, ${text(subject)}, ${text(body)},
            token, links.id, decode(stop, 'hex'), 'held'
        from asked join links using (hash)`);
    const ids = new Map(database.query(`select id, secret from mail
        where secret = any(${list(tokens)})`).map(({ id, secret }) => [secret, id]));
    return tokens.map((token) => ({ id: ids.get(token), token }));
}

// Waits until `condition` holds.
export async function until(condition) {
    const end = Date.now() + 15_000;
    while (!await condition()) {
        if (Date.now() > end) throw new Error(`never: ${condition}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

export const linkOf = (mail) =>
    new URL(/https?:\/\/\S+\/sign-in\/link\/[\w-]{43}/.exec(mail.parts[0].text)[0]).pathname;
export const codeOf = (mail) => /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(mail.parts[0].text)[0];
