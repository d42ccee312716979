/* The few outcomes a function of labd can have. What went wrong in detail is logged once,
 * where it was detected; callers pass the code up with TRY and dispatch.c turns it into a
 * status: 404, 422, 409, 403, 503, 500. */
#ifndef LABD_BASE_RESULT_H
#define LABD_BASE_RESULT_H

enum result {
    OK,
    NOT_FOUND, /* the thing asked for is not there (never: "I could not look") */
    INVALID,   /* the input breaks a rule; the form or the caller says which */
    CONFLICT,  /* somebody else changed it first, or it exists already */
    DENIED,    /* not for this person */
    BUSY,      /* a resource is exhausted or away for the moment; try again */
    FAILED     /* a fault of ours or of the machine; logged */
};

#define MUST_USE __attribute__((warn_unused_result))

/* Leaves the enclosing function with the result of `expression` unless it is OK. */
#define TRY(expression)                                                                  \
    do {                                                                                 \
        enum result try_result_ = (expression);                                          \
        if (try_result_ != OK)                                                           \
            return try_result_;                                                          \
    } while (0)

/* "ok", "not_found", ...: for logs. */
static inline const char *result_name(enum result result)
{
    static const char *const names[] = {"ok",     "not_found", "invalid", "conflict",
                                        "denied", "busy",      "failed"};
    return names[result];
}

#endif
