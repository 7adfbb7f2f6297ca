// Compiles a module a number of times: leaks FILE COUNT. Run under valgrind, what it loses must not depend on
// the count.

#include "cute.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static char text[1 << 20];
  FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  size_t length = fread(text, 1, sizeof text, file);
  fclose(file);

  cute_session *session;
  if (cute_session_create(CUTE_API, &session) || cute_session_set(session, "target", "sm_90a"))
    return 2;
  int failed = 0;
  for (int i = atoi(argv[2]); i > 0; --i) {
    cute_result *result;
    failed |= cute_compile(session, argv[1], text, length, &result) != CUTE_OK;
    cute_result_destroy(result);
  }
  cute_session_destroy(session);
  return failed;
}
