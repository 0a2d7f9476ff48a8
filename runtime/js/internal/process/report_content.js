'use strict';
// What stands in a diagnostic report, in Node's layout (version 4).

const native = binding('report');

const CLOCK = 1e6; // microseconds

function networkInterfaces(os) {
  return Object.entries(os.networkInterfaces()).flatMap(([name, list]) => list.map(
    ({ internal, mac, address, netmask, family, scopeid }) => ({ name, internal, mac, address,
      netmask, family, ...scopeid === undefined ? undefined : { scopeid } })));
}

function header({ event, trigger, filename, excludeNetwork }) {
  const os = require('os');
  const now = new Date();
  const [glibcVersionRuntime, glibcVersionCompiler] = native.glibc();
  const { threadId } = require('worker_threads');
  return {
    reportVersion: 4, event, trigger, filename,
    dumpEventTime: now.toISOString().replace(/\.\d+Z$/, 'Z'), dumpEventTimeStamp: `${+now}`,
    processId: process.pid, threadId, cwd: process.cwd(),
    commandLine: [process.argv0, ...process.execArgv, ...process.argv.slice(1)],
    nodejsVersion: process.version, glibcVersionRuntime, glibcVersionCompiler,
    wordSize: process.arch === 'arm' || process.arch === 'ia32' ? 32 : 64, arch: process.arch,
    platform: process.platform, componentVersions: { ...process.versions },
    release: { ...process.release }, osName: os.type(), osRelease: os.release(),
    osVersion: os.version(), osMachine: os.machine(),
    cpus: os.cpus().map(({ model, speed, times }) => ({ model, speed, user: times.user,
      nice: times.nice, sys: times.sys, idle: times.idle, irq: times.irq })),
    ...excludeNetwork ? undefined : { networkInterfaces: networkInterfaces(os) },
    host: os.hostname(),
  };
}

function textOf(value) {
  try {
    return typeof value === 'string' ? value : require('internal/inspect/inspect').inspect(value);
  } catch {
    return '';
  }
}

function javascriptStack(error) {
  const isObject = typeof error === 'object' && error !== null;
  const stack = isObject && typeof error.stack === 'string' ? error.stack : undefined;
  const errorProperties = {};
  for (const key of isObject ? Object.keys(error) : [])
    errorProperties[key] = String(textOf(error[key]));
  if (stack === undefined) {
    return { message: isObject ? textOf(error) : String(error ?? ''),
      stack: ['Unavailable.'], errorProperties };
  }
  const lines = stack.split('\n');
  const first = lines.findIndex((line) => /^\s+at /.test(line));
  const from = first === -1 ? lines.length : first;
  return { message: lines.slice(0, from).join('\n'),
    stack: lines.slice(from).map((line) => line.trim()).filter(Boolean), errorProperties };
}

function javascriptHeap() {
  const v8 = require('v8');
  const heap = v8.getHeapStatistics();
  const heapSpaces = {};
  for (const space of v8.getHeapSpaceStatistics()) {
    heapSpaces[space.space_name] = { memorySize: space.space_size,
      committedMemory: space.physical_space_size,
      capacity: space.space_used_size + space.space_available_size, used: space.space_used_size,
      available: space.space_available_size };
  }
  const whole = (value) => Math.min(Math.max(0, Math.trunc(value) || 0), Number.MAX_SAFE_INTEGER);
  return {
    totalMemory: whole(heap.total_heap_size),
    executableMemory: whole(heap.total_heap_size_executable),
    totalCommittedMemory: whole(heap.total_physical_size),
    availableMemory: whole(heap.total_available_size),
    totalGlobalHandlesMemory: whole(heap.total_global_handles_size),
    usedGlobalHandlesMemory: whole(heap.used_global_handles_size),
    usedMemory: whole(heap.used_heap_size), memoryLimit: whole(heap.heap_size_limit),
    mallocedMemory: whole(heap.malloced_memory), externalMemory: whole(heap.external_memory),
    peakMallocedMemory: whole(heap.peak_malloced_memory),
    nativeContextCount: whole(heap.number_of_native_contexts),
    detachedContextCount: whole(heap.number_of_detached_contexts),
    doesZapGarbage: whole(heap.does_zap_garbage), heapSpaces,
  };
}

function consumption(user, kernel) {
  const percent = 100 / Math.max(1, process.uptime());
  return { userCpuSeconds: user, kernelCpuSeconds: kernel,
    cpuConsumptionPercent: (user + kernel) * percent, userCpuConsumptionPercent: user * percent,
    kernelCpuConsumptionPercent: kernel * percent };
}

function resourceUsage() {
  const os = require('os');
  const used = process.resourceUsage();
  return {
    free_memory: os.freemem(), total_memory: os.totalmem(), rss: process.memoryUsage.rss(),
    constrained_memory: process.constrainedMemory(), available_memory: process.availableMemory(),
    ...consumption(used.userCPUTime / CLOCK, used.systemCPUTime / CLOCK),
    maxRss: used.maxRSS * 1024,
    pageFaults: { IORequired: used.majorPageFault, IONotRequired: used.minorPageFault },
    fsActivity: { reads: used.fsRead, writes: used.fsWrite },
  };
}

function threadUsage() {
  const [user, kernel, reads, writes] = native.threadUsage();
  return { ...consumption(user, kernel), fsActivity: { reads, writes } };
}

// Handles are told with the names of their addresses, unless the network is left out.
function make(options) {
  return {
    header: header(options),
    javascriptStack: javascriptStack(options.error),
    javascriptHeap: javascriptHeap(),
    nativeStack: native.nativeStack(),
    resourceUsage: resourceUsage(),
    uvthreadResourceUsage: threadUsage(),
    libuv: native.handles(!options.excludeNetwork),
    workers: [],
    environmentVariables: { ...process.env },
    userLimits: native.limits(),
    sharedObjects: native.sharedObjects(),
  };
}

module.exports = { make };
