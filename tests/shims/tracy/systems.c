/* SPDX-License-Identifier: MIT */
/* systems.c: the systems of the game in program.c. */
#include <string.h>
#include <tracy/TracyC.h>

#include "program.h"

static void c_decode(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, "decode: first", 1);
  TracyCZoneText(first, "decode", 6);
  TracyCZoneValue(first, 0);
  TracyCAllocN(&space[0], 32, "decode");
  TracyCZoneEnd(first);
  TracyCZoneNC(second, "decode: second", 0x334455, frame % 1 == 0);
  TracyCZoneName(second, "decode again", 12);
  TracyCAlloc(&space[1], 1);
  if (frame == 0) {
    TracyCMessageLC("decode was slow", 0x445566);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], "decode");
  TracyCPlot("decode load", frame * 1.25);
  TracyCPlotI("decode count", frame * 3);
  TracyCMessageL("decode done");
  TracyCZoneEnd(whole);
}

static void c_mix(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, "mix: first", 1);
  TracyCZoneText(first, "mix", 3);
  TracyCZoneValue(first, 17);
  TracyCAllocN(&space[0], 64, "mix");
  TracyCZoneEnd(first);
  TracyCZoneNC(second, "mix: second", 0x446688, frame % 2 == 0);
  TracyCZoneName(second, "mix again", 9);
  TracyCAlloc(&space[1], 2);
  if (frame == 1) {
    TracyCMessageLC("mix was slow", 0x537495);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], "mix");
  TracyCPlot("mix load", frame * 2.25);
  TracyCPlotI("mix count", frame * 4);
  TracyCMessageL("mix done");
  TracyCZoneEnd(whole);
}

static void c_resample(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, "resample: first", 1);
  TracyCZoneText(first, "resample", 8);
  TracyCZoneValue(first, 34);
  TracyCAllocN(&space[0], 96, "resample");
  TracyCZoneEnd(first);
  TracyCZoneNC(second, "resample: second", 0x5588bb, frame % 3 == 0);
  TracyCZoneName(second, "resample again", 14);
  TracyCAlloc(&space[1], 3);
  if (frame == 2) {
    TracyCMessageLC("resample was slow", 0x6293c4);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], "resample");
  TracyCPlot("resample load", frame * 3.25);
  TracyCPlotI("resample count", frame * 5);
  TracyCMessageL("resample done");
  TracyCZoneEnd(whole);
}

static void c_reverb(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, "reverb: first", 1);
  TracyCZoneText(first, "reverb", 6);
  TracyCZoneValue(first, 51);
  TracyCAllocN(&space[0], 128, "reverb");
  TracyCZoneEnd(first);
  TracyCZoneNC(second, "reverb: second", 0x66aaee, frame % 1 == 0);
  TracyCZoneName(second, "reverb again", 12);
  TracyCAlloc(&space[1], 4);
  if (frame == 3) {
    TracyCMessageLC("reverb was slow", 0x71b2f3);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], "reverb");
  TracyCPlot("reverb load", frame * 4.25);
  TracyCPlotI("reverb count", frame * 6);
  TracyCMessageL("reverb done");
  TracyCZoneEnd(whole);
}

static void c_stream(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, "stream: first", 1);
  TracyCZoneText(first, "stream", 6);
  TracyCZoneValue(first, 68);
  TracyCAllocN(&space[0], 160, "stream");
  TracyCZoneEnd(first);
  TracyCZoneNC(second, "stream: second", 0x77cd21, frame % 2 == 0);
  TracyCZoneName(second, "stream again", 12);
  TracyCAlloc(&space[1], 5);
  if (frame == 0) {
    TracyCMessageLC("stream was slow", 0x80d222);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], "stream");
  TracyCPlot("stream load", frame * 5.25);
  TracyCPlotI("stream count", frame * 7);
  TracyCMessageL("stream done");
  TracyCZoneEnd(whole);
}

static void c_cull(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, "cull: first", 1);
  TracyCZoneText(first, "cull", 4);
  TracyCZoneValue(first, 85);
  TracyCAllocN(&space[0], 192, "cull");
  TracyCZoneEnd(first);
  TracyCZoneNC(second, "cull: second", 0x88ef54, frame % 3 == 0);
  TracyCZoneName(second, "cull again", 10);
  TracyCAlloc(&space[1], 6);
  if (frame == 1) {
    TracyCMessageLC("cull was slow", 0x8ff151);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], "cull");
  TracyCPlot("cull load", frame * 6.25);
  TracyCPlotI("cull count", frame * 8);
  TracyCMessageL("cull done");
  TracyCZoneEnd(whole);
}

static void c_sort(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, "sort: first", 1);
  TracyCZoneText(first, "sort", 4);
  TracyCZoneValue(first, 102);
  TracyCAllocN(&space[0], 224, "sort");
  TracyCZoneEnd(first);
  TracyCZoneNC(second, "sort: second", 0x9a1187, frame % 1 == 0);
  TracyCZoneName(second, "sort again", 10);
  TracyCAlloc(&space[1], 7);
  if (frame == 2) {
    TracyCMessageLC("sort was slow", 0x9f1080);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], "sort");
  TracyCPlot("sort load", frame * 7.25);
  TracyCPlotI("sort count", frame * 9);
  TracyCMessageL("sort done");
  TracyCZoneEnd(whole);
}

static void c_batch(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, "batch: first", 1);
  TracyCZoneText(first, "batch", 5);
  TracyCZoneValue(first, 119);
  TracyCAllocN(&space[0], 256, "batch");
  TracyCZoneEnd(first);
  TracyCZoneNC(second, "batch: second", 0xab33ba, frame % 2 == 0);
  TracyCZoneName(second, "batch again", 11);
  TracyCAlloc(&space[1], 8);
  if (frame == 3) {
    TracyCMessageLC("batch was slow", 0xae2faf);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], "batch");
  TracyCPlot("batch load", frame * 8.25);
  TracyCPlotI("batch count", frame * 10);
  TracyCMessageL("batch done");
  TracyCZoneEnd(whole);
}

static void c_upload(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, "upload: first", 1);
  TracyCZoneText(first, "upload", 6);
  TracyCZoneValue(first, 136);
  TracyCAllocN(&space[0], 288, "upload");
  TracyCZoneEnd(first);
  TracyCZoneNC(second, "upload: second", 0xbc55ed, frame % 3 == 0);
  TracyCZoneName(second, "upload again", 12);
  TracyCAlloc(&space[1], 9);
  if (frame == 0) {
    TracyCMessageLC("upload was slow", 0xbd4ede);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], "upload");
  TracyCPlot("upload load", frame * 9.25);
  TracyCPlotI("upload count", frame * 11);
  TracyCMessageL("upload done");
  TracyCZoneEnd(whole);
}

static void c_present(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, "present: first", 1);
  TracyCZoneText(first, "present", 7);
  TracyCZoneValue(first, 153);
  TracyCAllocN(&space[0], 320, "present");
  TracyCZoneEnd(first);
  TracyCZoneNC(second, "present: second", 0xcd7820, frame % 1 == 0);
  TracyCZoneName(second, "present again", 13);
  TracyCAlloc(&space[1], 10);
  if (frame == 1) {
    TracyCMessageLC("present was slow", 0xcc6e0d);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], "present");
  TracyCPlot("present load", frame * 10.25);
  TracyCPlotI("present count", frame * 12);
  TracyCMessageL("present done");
  TracyCZoneEnd(whole);
}

static void c_poll(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, "poll: first", 1);
  TracyCZoneText(first, "poll", 4);
  TracyCZoneValue(first, 170);
  TracyCAllocN(&space[0], 352, "poll");
  TracyCZoneEnd(first);
  TracyCZoneNC(second, "poll: second", 0xde9a53, frame % 2 == 0);
  TracyCZoneName(second, "poll again", 10);
  TracyCAlloc(&space[1], 11);
  if (frame == 2) {
    TracyCMessageLC("poll was slow", 0xdb8d3c);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], "poll");
  TracyCPlot("poll load", frame * 11.25);
  TracyCPlotI("poll count", frame * 13);
  TracyCMessageL("poll done");
  TracyCZoneEnd(whole);
}

static void c_replay(int frame) {
  static char space[2];
  TracyCZone(whole, 1);
  TracyCZoneN(first, "replay: first", 1);
  TracyCZoneText(first, "replay", 6);
  TracyCZoneValue(first, 187);
  TracyCAllocN(&space[0], 384, "replay");
  TracyCZoneEnd(first);
  TracyCZoneNC(second, "replay: second", 0xefbc86, frame % 3 == 0);
  TracyCZoneName(second, "replay again", 12);
  TracyCAlloc(&space[1], 12);
  if (frame == 3) {
    TracyCMessageLC("replay was slow", 0xeaac6b);
  }
  TracyCFree(&space[1]);
  TracyCZoneEnd(second);
  TracyCFreeN(&space[0], "replay");
  TracyCPlot("replay load", frame * 12.25);
  TracyCPlotI("replay count", frame * 14);
  TracyCMessageL("replay done");
  TracyCZoneEnd(whole);
}

void update_c_systems(int frame) {
  c_decode(frame);
  c_mix(frame);
  c_resample(frame);
  c_reverb(frame);
  c_stream(frame);
  c_cull(frame);
  c_sort(frame);
  c_batch(frame);
  c_upload(frame);
  c_present(frame);
  c_poll(frame);
  c_replay(frame);
}
