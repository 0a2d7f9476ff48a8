// bullmq against Redis: workers, retries, delays, flows, events, many jobs at once
// needs: redis
'use strict';
const { FlowProducer, Queue, QueueEvents, Worker } = require('bullmq');

const connection = { host: '127.0.0.1', port: Number(process.env.REDIS_PORT), password: 'secret',
  maxRetriesPerRequest: null };

async function simple() {
  const queue = new Queue('simple', { connection });
  const events = new QueueEvents('simple', { connection });
  await events.waitUntilReady();
  const tried = {};
  const worker = new Worker('simple', async (job) => {
    tried[job.name] = (tried[job.name] ?? 0) + 1;
    await job.updateProgress(50);
    if (job.name === 'flaky' && tried.flaky < 3) throw new Error(`try ${tried.flaky}`);
    if (job.name === 'hopeless') throw new RangeError('never');
    return { name: job.name, sum: job.data.list.reduce((a, b) => a + b, 0) };
  }, { connection, concurrency: 2 });
  worker.on('error', (error) => console.log('worker', error.message));
  const add = (name, options) => queue.add(name, { list: [1, 2, name.length] }, options);
  const jobs = [await add('plain'), await add('flaky', { attempts: 3, backoff: 10 }),
    await add('later', { delay: 30 }), await add('hopeless'),
    await add('important', { priority: 1, jobId: 'own-id' })];
  for (const job of jobs) {
    console.log(job.name, await job.waitUntilFinished(events).catch((error) => error.message));
  }
  const again = await queue.getJob('own-id');
  console.log(again.id, again.returnvalue, again.progress, await again.getState());
  console.log(await queue.getJobCounts('completed', 'failed', 'delayed', 'waiting'),
    Object.entries(tried).sort());
  const failed = await queue.getFailed();
  console.log(failed.map(({ name, failedReason, attemptsMade }) =>
    [name, failedReason, attemptsMade]));
  await worker.close();
  await events.close();
  await queue.obliterate({ force: true });
  await queue.close();
}

async function flow() {
  const done = [];
  const worker = new Worker('steps', async (job) => {
    done.push(job.name);
    return Object.values(await job.getChildrenValues()).reduce((a, b) => a + b, job.data.n);
  }, { connection });
  const producer = new FlowProducer({ connection });
  const queue = new Queue('steps', { connection });
  const finished = new Promise((resolve) => worker.on('completed', (job, result) =>
    job.name === 'top' && resolve(result)));
  const child = (name, n, children) => ({ name, queueName: 'steps', data: { n }, children });
  await producer.add(child('top', 1, [child('left', 10, [child('leaf', 100)]),
    child('right', 1000)]));
  console.log(await finished, done.at(-1), done.indexOf('leaf') < done.indexOf('left'));
  await worker.close();
  await queue.obliterate({ force: true });
  await producer.close();
  await queue.close();
}

async function bulk() {
  const queue = new Queue('bulk', { connection, defaultJobOptions: { removeOnComplete: true } });
  await queue.addBulk(Array.from({ length: 300 }, (_, i) => ({ name: `n${i}`, data: { i } })));
  let sum = 0;
  let left = 300;
  const worker = new Worker('bulk', async ({ data }) => { sum += data.i; },
    { connection, concurrency: 20 });
  await new Promise((resolve) => worker.on('completed', () => { if (--left === 0) resolve(); }));
  console.log('bulk', sum, await queue.getJobCounts('completed', 'waiting', 'active'));
  await worker.close();
  await queue.close();
}

simple().then(flow).then(bulk);
