// A collection written straight into the tables, as tests of single pages need it: a form
// version, a wave, and people asked in it.

// [{given, family, han, email, role, state, complete, invited: days ago, mail}, ...]; every
// member may be left out. The ids: {collection, version, wave, invitations: [id, ...]}.
export function seedCollection(database, people, { title = 'Profiles of the year',
    titleZh = '年度信息', kind = 'custom', fields, days = 10, state = 'open' } = {}) {
    const definition = { title: { en: title, zh: titleZh }, sections: [{ title: { en: 'About you', zh: '基本信息' },
        fields: fields ?? [{ name: 'topic', type: 'text',
            label: { en: 'Topic', zh: '研究方向' } }] }] };
    const made = insert(database, `
        with c as (insert into collection (kind, title_en, title_zh, deadline, state,
                definition, opened_at)
            values ('${kind}', ${quote(title)}, ${quote(titleZh)}, lab_today() + ${days},
                '${state}', ${quote(JSON.stringify(definition))}, now()) returning id),
        f as (insert into form_version (collection_id, number, definition)
            select id, 1, ${quote(JSON.stringify(definition))} from c
            returning id, collection_id),
        w as (insert into wave (collection_id, number, kind, form_version_id)
            select collection_id, 1, 'everyone', id from f returning id, form_version_id,
            collection_id)
        select json_build_object('collection', collection_id, 'version', form_version_id,
            'wave', id) from w`);
    made.invitations = [];
    // Some at a time: one command of psql has its limit.
    for (let at = 0; at < people.length; at += 40)
        made.invitations.push(...database.run(people.slice(at, at + 40).map((person, i) =>
            inviting(made, { email: `person-${made.collection}-${at + i}@lab.example`,
                ...person })).join(';')).trim().split('\n').map(Number));
    return made;
}

export const quote = (text) => text === null || text === undefined ? 'null'
    : `'${String(text).replaceAll("'", "''")}'`;

// The JSON that a statement gives which also writes.
const insert = (database, sql) => JSON.parse(database.run(sql));

let serial = 0;

function inviting(made, { given, family, han, email, role = 'phd',
    state = 'invited', complete = 0, invited = 3, mail, reminders = 0 }) {
    serial += 1;
    const named = given || family || han;
    return `
        with p as (insert into person (slug, given_latin, family_latin, name_han)
            select 'seeded-${serial}', ${quote(given)}, ${quote(family)}, ${quote(han)}
            where ${Boolean(named)} returning id),
        r as (insert into appointment (person_id, position, role, starts)
            select id, 0, ${quote(role)}, '2020-09-01' from p where ${role !== null}),
        a as (insert into account (person_id, email, email_folded)
            values ((select id from p), ${quote(email)}, ${quote(email.toLowerCase())})
            returning id),
        i as (insert into invitation (collection_id, account_id, wave_id, pilot,
                form_version_id, state, complete, invited_at, opened_at, started_at,
                submitted_at, decided_at, reminders, reminded_at)
            select ${made.collection}, id, ${made.wave}, false, ${made.version},
                '${state}', ${complete}, now() - interval '${invited} days',
                ${state === 'invited' ? 'null' : 'now()'},
                ${['invited', 'opened'].includes(state) ? 'null' : 'now()'},
                ${['submitted', 'returned', 'approved'].includes(state) ? 'now()' : 'null'},
                ${['returned', 'approved'].includes(state) ? 'now()' : 'null'},
                ${reminders}, ${reminders > 0 ? "now() - interval '9 days'" : 'null'}
            from a returning id, account_id),
        m as (insert into mail (message_id, template, language, account_id,
                collection_id, invitation_id, to_address, subject, body, state)
            select 'seeded-${serial}', 'invitation', 'en', account_id, ${made.collection},
                id, ${quote(email)}, 'Asked', 'Please.', ${quote(mail ?? 'sent')}
            from i where ${Boolean(mail)})
        select id from i`;
}
