#include "server/site/admin_form.h"
#include "server/site/builder.h"

enum result admin_pilot_show(struct request *request, struct response *response)
{
    struct builder builder;
    TRY(builder_open(&builder, request, response));
    return builder_page(&builder, "builder/pilot.html", json_object());
}
