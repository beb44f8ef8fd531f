// SPDX-License-Identifier: MIT
//
// Ships events to another process while two threads record them, with flamelet_events_copy(). The other process counts
// what arrives. Exits with 0 when every event arrived once.
#define _POSIX_C_SOURCE 200809L
#include <flamelet/events.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 2
#define JOBS 10000
#define LAST_LINE "recorded"

// ---- The process that records ----------------------------------------------------------------------------------------

static void* work(void* unused) {
  for (int i = 0; i < JOBS; ++i) {
    const flamelet_id job = flamelet_begin("job", "worker", NULL);
    const flamelet_id part = flamelet_begin("first half", "worker", NULL);
    flamelet_end(flamelet_next(part, "second half", "worker"));
    flamelet_end(job);
  }
  return unused;
}

// One line for each event that is new. *next: the index of the first one that was not shipped.
static void ship(flamelet_events* events, uint64_t* next, uint64_t* lost, FILE* to) {
  flamelet_event batch[500];
  for (;;) {
    uint64_t start = 0;
    size_t count = 0;
    if (flamelet_events_copy(events, batch, *next, 500, &start, &count) != FLAMELET_OK) return;
    *lost += start - *next;
    *next = start + count;
    if (count == 0) return;
    for (size_t i = 0; i < count; ++i)
      fprintf(to, "%c %" PRIu32 " %" PRIu64 " %s\n", batch[i].type, batch[i].track, batch[i].time_ticks,
              batch[i].name != NULL ? batch[i].name : "");
  }
}

static int record(FILE* to) {
  const flamelet_config config = flamelet_config_default();
  const flamelet_events_config events_config = flamelet_events_config_default();
  flamelet_events* events = NULL;
  if (flamelet_init(&config) != FLAMELET_OK) return 1;
  if (flamelet_events_create(&events_config, &events) != FLAMELET_OK) return 1;

  pthread_t workers[WORKERS];
  for (int i = 0; i < WORKERS; ++i) {
    if (pthread_create(&workers[i], NULL, work, NULL) != 0) return 1;
  }
  uint64_t next = 0, lost = 0;
  for (int i = 0; i < 20; ++i) ship(events, &next, &lost, to);  // a program would do it a few times a second
  for (int i = 0; i < WORKERS; ++i) pthread_join(workers[i], NULL);
  ship(events, &next, &lost, to);
  fprintf(to, LAST_LINE " %" PRIu64 " %" PRIu64 "\n", next, lost);

  flamelet_events_destroy(events);
  return flamelet_shutdown() == FLAMELET_OK && fclose(to) == 0 ? 0 : 1;
}

// ---- The process that reads ------------------------------------------------------------------------------------------

static int count(FILE* from) {
  static const char* const names[] = {"job", "first half", "second half"};
  uint64_t begins[3] = {0}, ends[3] = {0};
  uint64_t arrived = 0, recorded = 0, lost = 0;
  char line[256];
  while (fgets(line, sizeof(line), from) != NULL) {
    if (sscanf(line, LAST_LINE " %" SCNu64 " %" SCNu64, &recorded, &lost) == 2) break;
    ++arrived;
    line[strcspn(line, "\n")] = 0;
    for (int i = 0; i < 3; ++i) {
      const size_t length = strlen(line), size = strlen(names[i]);
      if (length < size + 1 || line[length - size - 1] != ' ' || strcmp(line + length - size, names[i]) != 0) continue;
      if (line[0] == 'B') ++begins[i];
      if (line[0] == 'E') ++ends[i];
    }
  }
  printf("%" PRIu64 " events arrived of %" PRIu64 " recorded, %" PRIu64 " lost\n", arrived, recorded, lost);
  int good = arrived + lost == recorded && lost == 0;
  for (int i = 0; i < 3; ++i) {
    printf("%s: %" PRIu64 " begins, %" PRIu64 " ends\n", names[i], begins[i], ends[i]);
    good = good && begins[i] == WORKERS * JOBS && ends[i] == WORKERS * JOBS;
  }
  return good ? 0 : 1;
}

int main(void) {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  const pid_t reader = fork();  // before the recorder and the threads
  if (reader < 0) return 1;
  if (reader == 0) {
    close(ends[1]);
    return count(fdopen(ends[0], "r"));
  }
  close(ends[0]);
  const int result = record(fdopen(ends[1], "w"));
  int status = 1;
  if (waitpid(reader, &status, 0) != reader) return 1;
  return result == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}
