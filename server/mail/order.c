/* From an order to a row of the outbox; see order.h. */
#include "server/mail/order.h"

#include "db/connection.h"
#include "db/store/mail.h"
#include "server/base/buf.h"
#include "server/base/config.h"
#include "server/base/document.h"
#include "server/base/log.h"
#include "server/guard/token.h"
#include "server/mail/text.h"
#include "server/view/view.h"

#include <ctype.h>

static char origin[160] = "http://127.0.0.1:8080";

void mail_set_origin(const char *host, int port)
{
    bool wide = strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
    bool six = strchr(host, ':') != NULL && !wide;
    snprintf(origin, sizeof origin, "http://%s%s%s:%d", six ? "[" : "",
             wide ? "127.0.0.1" : host, six ? "]" : "", port);
}

const char *mail_origin(void)
{
    const char *url = config.base_url, *host = strstr(url, "://");
    if (host == NULL)
        return origin;
    return arena_copy(arena_current(), url,
                      (size_t)(host - url) + 3 + strcspn(host + 3, "/?#"));
}

static const char crockford[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
enum { CODE_LETTERS = 8 };

const char *mail_code(const char *secret)
{
    const char *hash =
        token_hash(arena_current(), token_derive(arena_current(), secret, "labd code"));
    struct buf code = buf_on(arena_current());
    for (int i = 0; i < CODE_LETTERS; i++) {
        const char pair[] = {hash[2 * i], hash[2 * i + 1], '\0'};
        if (i == CODE_LETTERS / 2)
            buf_char(&code, '-');
        buf_char(&code, crockford[strtoul(pair, NULL, 16) % 32]);
    }
    return code.data;
}

const char *mail_code_hash(int64_t account, const char *typed)
{
    struct buf plain = buf_on(arena_current());
    buf_print(&plain, "%lld ", (long long)account);
    for (; *typed != '\0'; typed++) {
        char c = (char)toupper((unsigned char)*typed);
        if (c == ' ' || c == '-')
            continue;
        buf_char(&plain, c == 'O' ? '0' : c == 'I' || c == 'L' ? '1' : c);
    }
    return token_hash(arena_current(), plain.data);
}

const char *mail_finished(const char *body, const char *secret)
{
    const char *link = arena_print(arena_current(), "%s/sign-in/link/%s", mail_origin(),
                                   secret != NULL ? secret : "…");
    body = mail_replace(body, "{{link}}", link);
    return mail_replace(body, "{{code}}",
                        secret != NULL ? mail_code(secret) : "····-····");
}

/* A value must not be taken for the link. */
static json_t *safe(const char *text, bool lines)
{
    if (text == NULL || *text == '\0')
        return json_null();
    text = mail_replace(lines ? text : mail_line(text), "{{", "{ {");
    return json_string(
        mail_replace(text, "{{", "{ {")); /* three in a row are two pairs */
}

/* In the language, else in the other. */
static const char *either(const json_t *facts, const char *en, const char *zh,
                          enum language language)
{
    const char *first = filled_of(facts, language == CHINESE ? zh : en);
    return first != NULL ? first : filled_of(facts, language == CHINESE ? en : zh);
}

static enum result deadline_of(json_t **deadline, json_t *facts, enum language language)
{
    struct buf text = buf_on(arena_current());
    *deadline = json_null();
    if (integer_at(facts, "year") == 0)
        return OK;
    json_object_set_new(facts, "month_key", json_string(NUM(integer_at(facts, "month"))));
    TRY(view_render(mail_view(), &text,
                    language == CHINESE ? "mail/deadline.zh.txt" : "mail/deadline.en.txt",
                    facts, language));
    *deadline = safe(text.data, false);
    return OK;
}

static json_t *list_of(json_t *labels)
{
    struct buf text = buf_on(arena_current());
    size_t index;
    json_t *label;
    if (!json_is_array(labels))
        return safe(json_string_value(labels), true);
    json_array_foreach(labels, index, label)
        buf_print(&text, "%s- %s", index > 0 ? "\n" : "",
                  mail_line(json_is_string(label) ? json_string_value(label) : ""));
    return safe(text.data, true);
}

static enum result values_of(json_t **values, json_t *facts,
                             const struct mail_order *order, enum language language)
{
    const char *key;
    json_t *value, *deadline;
    TRY(deadline_of(&deadline, facts, language));
    *values = json_object();
    json_object_set_new(*values, "name",
                        safe(either(facts, "name_latin", "name_han", language), false));
    json_object_set_new(*values, "lab",
                        safe(either(facts, "lab_en", "lab_zh", language), false));
    if (json_is_null(json_object_get(*values, "lab")))
        json_object_set_new(
            *values, "lab",
            json_string(view_message(mail_view(), language, "lab.unnamed")));
    json_object_set_new(*values, "collection",
                        safe(either(facts, "title_en", "title_zh", language), false));
    json_object_set_new(*values, "deadline", deadline);
    json_object_set_new(*values, "hours", json_string(NUM(order->link_hours)));
    json_object_set_new(*values, "missing", json_null());
    json_object_set_new(*values, "comment", json_null());
    json_object_set_new(*values, "address", json_null());
    json_object_foreach(order->values, key, value)
        json_object_set_new(*values, key,
                            strcmp(key, "missing") == 0 || strcmp(key, "comment") == 0
                                ? list_of(value)
                                : safe(json_string_value(value), false));
    bool linked = order->next != NULL;
    if (linked || json_object_get(*values, "link") == NULL)
        json_object_set_new(*values, "link",
                            linked ? json_string("{{link}}") : json_null());
    json_object_set_new(*values, "code", linked ? json_string("{{code}}") : json_null());
    return OK;
}

/* What an order comes to. */
struct composed {
    const struct mail_kind *kind;
    enum language language;
    json_t *facts;
    struct mail_words words;
    const char *to_name, *to_address;
    bool own_failed; /* the admin's words could not be used */
};

static enum result find_words(struct composed *c, struct db *db,
                              const struct mail_order *order, json_t *values)
{
    json_t *own;
    enum result found = mail_text_best(&own, db, c->kind->name,
                                       language_codes[c->language], order->collection);
    if (found == OK) {
        struct mail_words words = {text_at(own, "subject", ""), text_at(own, "body", "")};
        if (mail_text_fill(&c->words, &words, values) == OK)
            return OK;
        c->own_failed =
            true; /* of an older program, say: the mail goes out all the same */
    } else if (found != NOT_FOUND) {
        return found;
    }
    return mail_text_render(&c->words, c->kind, c->language, values);
}

static enum result compose(struct composed *c, struct db *db,
                           const struct mail_order *order)
{
    json_t *values;
    *c = (struct composed){.kind = mail_kind_find(order->template)};
    if (c->kind == NULL || mail_view() == NULL) {
        log_error("mail.order", "template", order->template, "templates",
                  mail_view() != NULL ? "open" : "not open");
        return FAILED;
    }
    TRY(mail_facts(&c->facts, db, order->account, order->collection, order->invitation));
    c->language =
        strcmp(text_at(c->facts, "language", "en"), "zh") == 0 ? CHINESE : ENGLISH;
    TRY(values_of(&values, c->facts, order, c->language));
    TRY(find_words(c, db, order, values));
    const char *name = either(c->facts, "name_latin", "name_han", c->language);
    c->to_name = name != NULL ? mail_line(name) : NULL;
    c->to_address =
        order->address != NULL ? order->address : text_at(c->facts, "email", "");
    return OK;
}

/* Random enough that nobody makes one up, and known by its beginning in what comes back.
 */
static const char *new_message_id(void)
{
    const char *at = strrchr(config.mail_from, '@'),
               *host = strstr(config.base_url, "://");
    const char *domain = "labd.invalid";
    if (at != NULL)
        domain = at + 1;
    else if (host != NULL)
        domain = arena_copy(arena_current(), host + 3, strcspn(host + 3, ":/?#[]"));
    return arena_print(arena_current(), "labd.%s@%s", token_new(arena_current()), domain);
}

/* Adds the secrets and writes the row. */
static enum result add(int64_t *id, struct db *db, const struct actor *actor,
                       struct new_mail *mail, bool stoppable)
{
    struct arena *arena = arena_current();
    mail->message_id = new_message_id();
    if (mail->next != NULL && mail->reason == NULL) {
        mail->secret = token_new(arena);
        mail->token_hash = token_hash(arena, mail->secret);
        mail->code_hash = mail_code_hash(mail->account, mail_code(mail->secret));
        if (stoppable && mail->invitation != 0)
            mail->stop_hash =
                token_hash(arena, token_derive(arena, mail->secret, "labd stop"));
    }
    return mail_add(id, db, actor, mail);
}

enum result mail_order(int64_t *id, struct db *db, const struct actor *actor,
                       const struct mail_order *order)
{
    struct composed c;
    TRY(compose(&c, db, order));
    struct new_mail mail = {
        .template = c.kind->name,
        .language = language_codes[c.language],
        .account = order->account,
        .collection = order->collection,
        .invitation = order->invitation,
        .to_name = c.to_name,
        .to_address = c.to_address,
        .subject = c.words.subject,
        .body = c.words.body,
        .next = order->next,
        .link_hours = order->link_hours,
        .reason = truth_at(c.facts, "disabled") ? "disabled" : NULL,
    };
    return add(id, db, actor, &mail, c.kind->stoppable);
}

enum result mail_order_example(int64_t *id, struct db *db, const struct actor *actor,
                               int64_t account, const struct mail_kind *kind,
                               enum language language, const char *subject,
                               const char *body)
{
    struct mail_words words = {subject, body}, filled;
    json_t *facts;
    if (mail_text_fill(&filled, &words, mail_text_example(kind, language)) != OK)
        return INVALID;
    TRY(mail_facts(&facts, db, account, 0, 0));
    const char *name = either(facts, "name_latin", "name_han", language);
    bool linked = strstr(filled.body, "{{link}}") != NULL ||
                  strstr(filled.body, "{{code}}") != NULL;
    struct new_mail mail = {
        .template = "test",
        .language = language_codes[language],
        .account = account,
        .to_name = name != NULL ? mail_line(name) : NULL,
        .to_address = text_at(facts, "email", ""),
        .subject = filled.subject,
        .body = filled.body,
        .next = linked ? "/my" : NULL,
        .link_hours = 2,
    };
    return add(id, db, actor, &mail, false);
}

enum result mail_resend(int64_t *id, struct db *db, const struct actor *actor,
                        const json_t *mail)
{
    const struct mail_kind *kind = mail_kind_find(text_at(mail, "template", ""));
    const char *state = text_at(mail, "state", "");
    if (strcmp(state, "sent") != 0 && strcmp(state, "failed") != 0 &&
        strcmp(state, "bounced") != 0)
        return CONFLICT;
    struct new_mail again = {
        .template = text_at(mail, "template", ""),
        .language = text_at(mail, "language", "en"),
        .account = integer_at(mail, "account_id"),
        .collection = integer_at(mail, "collection_id"),
        .invitation = integer_at(mail, "invitation_id"),
        .to_name = text_of(mail, "to_name"),
        .to_address = text_at(mail, "to_address", ""),
        .subject = text_at(mail, "subject", ""),
        .body = text_at(mail, "body", ""),
        .next = integer_at(mail, "account_id") != 0 ? text_of(mail, "next") : NULL,
        .link_hours = (int)integer_at(mail, "link_hours"),
    };
    return add(id, db, actor, &again, kind != NULL && kind->stoppable);
}

static void add_problem(json_t *problems, bool there, const char *code)
{
    if (there)
        json_array_append_new(problems, json_pack("{s:s}", "code", code));
}

enum result mail_preview(json_t **mail, struct db *db, const struct mail_order *order)
{
    struct composed c;
    const char *html;
    TRY(compose(&c, db, order));
    const char *body = mail_finished(c.words.body, NULL);
    TRY(mail_text_html(&html, c.words.subject, body, c.language));
    json_t *problems = json_array();
    add_problem(problems, truth_at(c.facts, "disabled"), "disabled");
    add_problem(problems, truth_at(c.facts, "bounced"), "bounced");
    add_problem(problems, *config.smtp_url == '\0', "no_smtp");
    add_problem(problems, c.own_failed, "words");
    *mail = json_pack("{s:s,s:s,s:s,s:s,s:s?,s:s,s:o}", "language",
                      language_codes[c.language], "subject", c.words.subject, "body",
                      body, "html", html, "to_name", c.to_name, "to_address",
                      c.to_address, "problems", problems);
    return *mail != NULL ? OK : FAILED;
}
