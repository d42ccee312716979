/* Every entity and its form agree: a field that can be filled in is stored by the insert,
 * by the update, and given back by the document query. What is written here is made from
 * the form itself, so a new field or entity is tested without a word. */
#include "db/store/entity.h"
#include "db/store/lab.h"
#include "server/form/forms.h"
#include "tests/support/lab.h"

static struct db *db;
static struct forms *forms;

static void enter(void)
{
    char problem[512];
    db = test_lab_db();
    cr_assert_eq(forms_open(&forms, ".", NULL, false, problem, sizeof problem), OK, "%s",
                 problem);
    cr_assert_eq(lab_ensure(db), OK);
    lab_save(db, "person", 0, json_pack("{s:s}", "name_han", "陈默"));
}

static void leave(void)
{
    forms_close(forms);
    db_free(db);
}

TestSuite(entity, .init = enter, .fini = leave);

static const struct form *form_of(const struct entity *entity)
{
    const struct form *form = form_named(forms, entity->name);
    cr_assert_not_null(form, "%s has no form", entity->name);
    return form;
}

static json_t *sample(const struct field *field, int number);

static const char *stored_photo(int number)
{
    const char *token = arena_print(arena_current(), "photo-%043d", number);
    test_sql(db, arena_print(arena_current(),
                             "insert into file (token, width, height) values ('%s', 1, 1)"
                             " on conflict do nothing",
                             token));
    return token;
}

static const char *stored_document(int number)
{
    const char *token = arena_print(arena_current(), "file-%043d", number);
    test_sql(db, arena_print(arena_current(),
                             "insert into file (token, name) values ('%s', 'a.pdf')"
                             " on conflict do nothing",
                             token));
    return token;
}

static const char *stored_topic(int number)
{
    const char *slug = arena_print(arena_current(), "topic-%d", number);
    test_sql(db, arena_print(arena_current(),
                             "insert into topic (slug, name_en, name_zh) values"
                             " ('%s', 'Topic', '方向') on conflict do nothing",
                             slug));
    return slug;
}

static json_t *samples(const struct field *fields, size_t count, int number)
{
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, fields[i].name, sample(&fields[i], number));
    return object;
}

/* A value that the field can have, another one for each small number. */
static json_t *sample(const struct field *field, int number)
{
    switch (field->type) {
    case FIELD_TEXT:
        if (strcmp(field->name, "topic") == 0)
            return json_string(stored_topic(number));
        if (strcmp(field->name, "time_zone") == 0) /* the database must know it */
            return json_string(number == 1 ? "Asia/Urumqi" : "Europe/Berlin");
        return json_sprintf("%s-%d", field->name, number);
    case FIELD_TEXTAREA:
    case FIELD_MARKDOWN:
    case FIELD_PASSWORD:
    case FIELD_EMAIL:
    case FIELD_URL:
    case FIELD_PHONE:
    case FIELD_ORCID:
    case FIELD_FILE:
        return json_sprintf("%s-%d", field->name, number);
    case FIELD_INTEGER:
        return json_integer(field->least + number);
    case FIELD_DECIMAL:
        return json_real(number + 0.5);
    case FIELD_DATE:
        return json_sprintf("20%d-03-0%d", field->not_before != NULL ? 22 : 11, number);
    case FIELD_MONTH:
        return json_sprintf("2011-0%d", number);
    case FIELD_BOOLEAN:
        return json_true();
    case FIELD_CHOICE:
        return json_string(field->choices[(size_t)number % field->choice_count].value);
    case FIELD_MULTICHOICE:
        return json_pack("[s]",
                         field->choices[(size_t)number % field->choice_count].value);
    case FIELD_PERSON:
        return number == 1 ? json_string("陈默") : json_null();
    case FIELD_PHOTO: /* the database must know it */
        return json_string(stored_photo(number));
    case FIELD_DOCUMENT:
        return json_string(stored_document(number));
    case FIELD_GROUP:
        return json_pack("[o]", samples(field->fields, field->field_count, number));
    case FIELD_RECORD:
        return samples(field->fields, field->field_count, number);
    case FIELD_TYPE_COUNT:
        break;
    }
    cr_assert_fail("%s has no type", field->name);
    return NULL;
}

static json_t *save(const struct entity *entity, int64_t target, int number)
{
    const struct form *form = form_of(entity);
    json_t *written = samples(form->fields, form->field_count, number);
    json_t *outcome = lab_save(db, entity->name, target, written);
    json_t *read = lab_document(db, entity->name, outcome), *value;
    const char *key;
    json_object_foreach(written, key, value)
        cr_expect(change_same(value, json_object_get(read, key)),
                  "%s.%s: %s was written (%s), %s is there", entity->name, key,
                  json_dumps(value, JSON_ENCODE_ANY), text(outcome, "outcome"),
                  json_dumps(json_object_get(read, key), JSON_ENCODE_ANY));
    return outcome;
}

Test(entity, documents_have_the_keys_of_their_form)
{
    for (size_t i = 0; i < entity_count; i++) {
        if (entities[i].own_forms)
            continue;
        const struct form *form = form_of(&entities[i]);
        json_t *current, *document, *value;
        const char *key;
        cr_assert_eq(entity_current(&current, db, entities[i].name, 0), OK);
        document = json_object_get(current, "document");
        for (size_t f = 0; f < form->field_count; f++)
            cr_expect_not_null(json_object_get(document, form->fields[f].name),
                               "%s has no key %s, a field of its form",
                               entities[i].document->name, form->fields[f].name);
        json_object_foreach(document, key, value)
            cr_expect_not_null(field_named(form->fields, form->field_count, key),
                               "%s has the key %s, which is no field of its form",
                               entities[i].document->name, key);
    }
}

Test(entity, every_field_is_inserted_updated_and_read_back)
{
    for (size_t i = 0; i < entity_count; i++) {
        if (entities[i].own_forms)
            continue;
        int64_t target = 1; /* the lab's */
        if (entities[i].insert != NULL)
            target = number(save(&entities[i], 0, 1), "target_id");
        else
            save(&entities[i], target, 1);
        save(&entities[i], target, 2);
    }
}
