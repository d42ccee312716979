/* Pages: a document and a template become an answer. page() adds what every layout needs,
 * so that handlers only make what is theirs:
 *
 *   language "en", html_lang "en" or "zh-CN", prefix "/en"
 *   other    {language, label, url}: this page in the other language
 *   lab      {name, name_other, sentence, about (Markdown), affiliation, address,
 *            email}
 *   assets   {site_css: "/static/...", ...}
 *   nav      {home, people, publications, my, admin, ...: true for the current one}; a
 *            key for the first segment of each route
 *   account  null, or {email, admin, name, person_slug}
 *   csrf     the token of the session's forms; "" without a session
 *   path, request_id, noindex, canonical (null without the option base_url)
 *
 * Every pair of keys x_en, x_zh in the document gets an x beside it (text in the page's
 * language, else in the other; null when both are) and x_lang (the language it is in),
 * and every name_latin, name_han pair gets name and name_other; at any depth. */
#ifndef LABD_SITE_PAGE_H
#define LABD_SITE_PAGE_H

#include "server/http/request.h"
#include "server/http/response.h"

MUST_USE enum result page(struct request *request, struct response *response,
                          const char *template, json_t *document);

/* The pairs alone; for documents that do not become pages. */
void localize(json_t *document, enum language language);

/* {NAME: is `path` below PREFIX/NAME?} for every NAME that a route has there. */
json_t *page_sections(const char *prefix, const char *path);

/* The lab as layouts have it, without the rest of a page. */
MUST_USE enum result page_lab(json_t **lab, const struct request *request);

/* A Markdown text as HTML, for a key that ends in _html; null for null, and for what the
 * limits of markdown.h refuse. */
json_t *page_markdown(const struct request *request, json_t *text);

#endif
