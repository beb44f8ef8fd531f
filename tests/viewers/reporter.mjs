// SPDX-License-Identifier: MIT
//
// For `node --test`: a line for each check, the errors of those that failed, and a closing line that scripts can read.
export default async function* report(events) {
  let passed = 0;
  let failed = 0;
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
    // Files are reported as tests of their own: they count if something outside of their checks went wrong.
    if (type === 'test:pass' && data.skip) {
      yield `skipped ${data.name}: ${data.skip}\n`;
    } else if (type === 'test:pass' && data.details.type !== 'suite' && !/\.mjs$/.test(data.name)) {
      ++passed;
      yield `passed  ${data.name} (${Math.round(data.details.duration_ms)} ms)\n`;
    }
    if (type === 'test:fail') {
      const error = data.details.error?.cause ?? data.details.error;
      if (/\.mjs$/.test(data.name) && data.details.error?.failureType === 'subtestsFailed') continue;
      ++failed;
      yield `FAILED  ${data.name}\n        ${String(error?.stack ?? error).replaceAll('\n', '\n        ')}\n`;
    }
  }
  yield `${passed} passed, ${failed} failed\n`;
}
