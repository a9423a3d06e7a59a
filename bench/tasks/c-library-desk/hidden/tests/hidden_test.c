#include "check.h"
#include "desk.h"

static struct library lib;

static const char *run(const char *line)
{
    static char answer[120];

    desk_run(&lib, line, answer, sizeof answer);
    return answer;
}

int main(void)
{
    library_add(&lib, "dune");
    library_add(&lib, "emma");

    CHECK_STR("dune is not lent", run("return dune"));
    CHECK_STR("no book ulysses", run("return ulysses"));
    CHECK_STR("usage: return BOOK", run("return"));
    CHECK_STR("dune is lent to ann", run("lend dune ann"));
    CHECK_STR("emma is lent to ben", run("lend emma ben"));
    CHECK_STR("emma is back from ben", run("return emma"));
    CHECK_STR("emma is not lent", run("return emma"));
    CHECK_STR("nobody has emma", run("who emma"));
    CHECK_STR("ann has dune", run("who dune"));
    CHECK_STR("ann has dune", run("lend dune ben"));
    CHECK_STR("dune is back from ann", run("return dune"));
    CHECK_STR("dune is lent to ben", run("lend dune ben"));
    CHECK_STR("dune is back from ben", run("return dune"));
    CHECK_STR("usage: lend BOOK READER", run("lend dune"));
    CHECK_STR("usage: who BOOK", run("who"));
    CHECK_STR("unknown command 'sell'", run("sell dune"));
    return CHECK_RESULT();
}
