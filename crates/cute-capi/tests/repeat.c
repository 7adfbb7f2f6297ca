// Compiles a module a number of times, from a number of threads with one session: repeat FILE COUNT THREADS.
// The PTX must always be the same. After the first 100, or the first half, the heap may grow by less than 1
// MB. Under valgrind, what is lost must not depend on the count.

#include "cute.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 20];
static size_t length;
static const char *name;
static cute_session *session;
static cute_result *expected;
static atomic_int left, wrong;

static int same(const cute_result *a, const cute_result *b) {
  size_t n, m;
  const void *x = cute_result_part(a, CUTE_CODE, &n), *y = cute_result_part(b, CUTE_CODE, &m);
  return x && y && n == m && memcmp(x, y, n) == 0;
}

static void *compile(void *unused) {
  while (atomic_fetch_sub(&left, 1) > 0) {
    cute_result *result;
    if (cute_compile(session, name, text, length, &result) != CUTE_OK || !same(result, expected))
      atomic_fetch_add(&wrong, 1);
    cute_result_destroy(result);
  }
  return unused;
}

// Compiles `count` times, and returns the bytes of the heap afterwards.
static size_t heap_after(int count, int threads) {
  pthread_t thread[64];
  atomic_store(&left, count);
  for (int i = 0; i < threads; ++i)
    if (pthread_create(&thread[i], NULL, compile, NULL))
      exit(2);
  for (int i = 0; i < threads; ++i)
    pthread_join(thread[i], NULL);
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

int main(int argc, char **argv) {
  FILE *file = argc == 4 ? fopen(argv[1], "rb") : NULL;
  int count = argc == 4 ? atoi(argv[2]) : 0, threads = argc == 4 ? atoi(argv[3]) : 0;
  if (!file || count < 1 || threads < 1 || threads > 64)
    return 2;
  name = argv[1];
  length = fread(text, 1, sizeof text, file);
  fclose(file);

  if (cute_session_create(CUTE_API, &session) || cute_session_set(session, "target", "sm_90a") ||
      cute_compile(session, name, text, length, &expected))
    return 2;
  int first = count < 200 ? count / 2 : 100;
  size_t before = heap_after(first, threads), after = heap_after(count - 1 - first, threads);
  long grown = (long)(after - before);
  printf("%d compilations from %d threads: %d differ, the heap grew by %ld bytes\n", count, threads, wrong,
         grown);
  cute_result_destroy(expected);
  cute_session_destroy(session);
  return wrong || (first > 0 && grown >= 1 << 20);
}
