// Compiles a kernel for a GPU, and runs it in the simulator.
//
//   cc -I crates/cute-capi/include examples/c/copy.c -L target/release -lcute -o copy
//   LD_LIBRARY_PATH=target/release ./copy examples/copy.mlir

#include "cute.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 33, COLUMNS = 132 };

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
  if (argc != 2) {
    fprintf(stderr, "usage: %s examples/copy.mlir\n", argv[0]);
    return 1;
  }
  size_t length;
  char *text = read(argv[1], &length);

  cute_session *session;
  check(cute_session_create(CUTE_API, &session), "the library has another version than the header");
  cute_session_on_diagnostic(session, print, NULL);
  check(cute_session_set(session, "target", "sm_90a"), cute_session_message(session));

  cute_result *result;
  check(cute_compile(session, argv[1], text, length, &result), cute_result_message(result));
  size_t size;
  cute_result_part(result, CUTE_CODE, &size);
  printf("cute %s: %zu bytes of PTX\n", cute_version(), size);
  cute_result_destroy(result);

  // A matrix is passed as its address, its extents, and the stride of its rows.
  static float source[ROWS][COLUMNS], target[ROWS][COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    source[i / COLUMNS][i % COLUMNS] = (float)i;
  int32_t rows = ROWS, columns = COLUMNS;
  int64_t pitch = COLUMNS;
#define MATRIX(data)                                                                                         \
  {CUTE_ARRAY, data, sizeof data}, {CUTE_VALUE, &rows, sizeof rows}, {CUTE_VALUE, &columns, sizeof columns}, \
  {                                                                                                          \
    CUTE_VALUE, &pitch, sizeof pitch                                                                         \
  }
  const cute_argument arguments[] = {MATRIX(source), MATRIX(target)};
  const cute_launch launch = {.grid = {(COLUMNS + 127) / 128, (ROWS + 31) / 32, 1}};
  cute_status status = cute_simulate(session, argv[1], text, length, &launch, arguments,
                                     sizeof arguments / sizeof *arguments, &result);
  const char *report = cute_result_part(result, CUTE_REPORT, NULL);
  if (report)
    fputs(report, stdout);
  check(status, cute_result_message(result));
  cute_result_destroy(result);
  cute_session_destroy(session);
  free(text);

  int different = 0;
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    different += target[i / COLUMNS][i % COLUMNS] != source[i / COLUMNS][i % COLUMNS];
  printf("%d of %d elements differ\n", different, ROWS * COLUMNS);
  return different != 0;
}
