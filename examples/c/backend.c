// Compiles a module of a front end, and writes the code and the facts that a launcher needs.
//
//   cc -I crates/cute-capi/include examples/c/backend.c -L target/release -lcute -o backend
//   LD_LIBRARY_PATH=target/release ./backend k.mlir cute-rs sm_100a cubin k.cubin

#include "cute.h"

#include <stdio.h>
#include <stdlib.h>

static int print(const cute_diagnostic *diagnostic, void *user) {
  (void)user;
  fputs(diagnostic->text, stderr);
  return 0;
}

// Ends the program unless a call of the library did what it should.
static void check(cute_status status, const char *message) {
  if (status != CUTE_OK) {
    fprintf(stderr, "error: %s\n", message);
    exit(1);
  }
}

static char *read(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t room = 0;
  *length = 0;
  do {
    room = room ? 2 * room : 4096;
    text = realloc(text, room);
    if (!file || !text) {
      perror(path);
      exit(1);
    }
    *length += fread(text + *length, 1, room - *length, file);
  } while (*length == room);
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: %s MODULE PROFILE TARGET ptx|cubin OUT\n", argv[0]);
    return 1;
  }
  size_t length;
  char *text = read(argv[1], &length);

  cute_session *session;
  check(cute_session_create(CUTE_API, &session), "the library has another version than the header");
  cute_session_on_diagnostic(session, print, NULL);
  const char *const options[][2] = {{"profile", argv[2]}, {"target", argv[3]}, {"emit", argv[4]}};
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
    cute_status set = cute_session_set(session, options[i][0], options[i][1]);
    check(set, cute_session_message(session));
  }

  cute_result *result;
  cute_status status = cute_compile(session, argv[1], text, length, &result);
  check(status, cute_result_message(result));
  size_t size;
  const void *code = cute_result_part(result, CUTE_CODE, &size);
  const char *facts = cute_result_part(result, CUTE_MANIFEST, NULL);

  FILE *out = fopen(argv[5], "wb");
  if (!out || fwrite(code, 1, size, out) != size || fclose(out) != 0) {
    perror(argv[5]);
    return 1;
  }
  puts(facts);
  cute_result_destroy(result);
  cute_session_destroy(session);
  free(text);
  return 0;
}
