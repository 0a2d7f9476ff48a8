// @nestjs: modules, injection, pipes, guards, interceptors, filters, written in TypeScript
'use strict';
require('reflect-metadata');
const fs = require('node:fs');
const path = require('node:path');
const ts = require('typescript');

const source = `
import { Body, CanActivate, Catch, Controller, createParamDecorator, ExecutionContext, Get, Global,
  Header, HttpCode, HttpException, Inject, Injectable, MiddlewareConsumer, Module, NestInterceptor,
  OnModuleDestroy, OnModuleInit, Param, ParseIntPipe, Post, Query, Scope, UseGuards,
  UseInterceptors, CallHandler, NotFoundException, ArgumentsHost,
  ExceptionFilter } from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import { map, Observable, of, delay } from 'rxjs';

const log: string[] = [];
@Injectable() class Cats implements OnModuleInit, OnModuleDestroy {
  private readonly all = new Map<number, string>([[1, 'Tom']]);
  constructor(@Inject('SUFFIX') private readonly suffix: string) {}
  onModuleInit() { log.push('init'); }
  onModuleDestroy() { log.push('destroyed'); }
  find(id: number) {
    if (!this.all.has(id)) throw new NotFoundException(\`no cat \${id}\`);
    return { id, name: this.all.get(id) + this.suffix };
  }
  add(name: string) { this.all.set(this.all.size + 1, name); return this.all.size; }
}
@Injectable({ scope: Scope.REQUEST }) class PerRequest {
  static made = 0;
  readonly n = ++PerRequest.made;
  constructor(@Inject(REQUEST) private readonly request: any) {}
  get url() { return this.request.url; }
}
const User = createParamDecorator((_, context: ExecutionContext) =>
  context.switchToHttp().getRequest().headers['x-user']);
@Injectable() class Guard implements CanActivate {
  canActivate(context: ExecutionContext) {
    return context.switchToHttp().getRequest().headers['x-user'] !== undefined;
  }
}
@Injectable() class Wrap implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((value) => ({ wrapped: value })));
  }
}
@Catch(RangeError) class Ranges implements ExceptionFilter {
  catch(error: RangeError, host: ArgumentsHost) {
    host.switchToHttp().getResponse().status(416).json({ caught: error.message });
  }
}
@Controller('cats') class CatsController {
  constructor(private readonly cats: Cats, private readonly own: PerRequest) {}
  @Get(':id') find(@Param('id', ParseIntPipe) id: number) { return this.cats.find(id); }
  @Get() @UseInterceptors(Wrap)
  list(@Query('q') q?: string) { return of(q ?? 'all').pipe(delay(2)); }
  @Post() @UseGuards(Guard) @HttpCode(202) @Header('x-made', 'yes')
  add(@Body() body: { name: string }, @User() user: string) {
    return [this.cats.add(body.name), user];
  }
  @Get('own/request') mine() { return { n: this.own.n, url: this.own.url }; }
  @Get('fail/range') range() { throw new RangeError('too far'); }
  @Get('fail/http') http() { throw new HttpException({ own: 'body' }, 418); }
  @Get('fail/any') async any() { throw new Error('hidden'); }
}
@Global()
@Module({ providers: [{ provide: 'SUFFIX', useFactory: async () => '!' }], exports: ['SUFFIX'] })
class Settings {}
@Module({ imports: [Settings], controllers: [CatsController], providers: [Cats, PerRequest] })
class App {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply((req: any, res: any, next: () => void) => { log.push(req.method); next(); })
      .forRoutes(CatsController);
  }
}
@Module({ providers: [{ provide: 'A', useFactory: () => 1, inject: ['MISSING'] }] }) class Broken {}
export { App, Broken, NestFactory, Ranges, log };
`;

async function ask(base, url, options = {}) {
  const answer = await fetch(base + url, { ...options,
    headers: { 'content-type': 'application/json', ...options.headers } });
  console.log(options.method ?? 'GET', url, answer.status, answer.headers.get('x-made'),
    await answer.text());
}

async function main() {
  const { outputText } = ts.transpileModule(source, { compilerOptions: { target: 'es2022',
    module: 'commonjs', experimentalDecorators: true, emitDecoratorMetadata: true } });
  const file = path.join(__dirname, `nest-${process.pid}.cjs`);
  fs.writeFileSync(file, outputText);
  const { App, Broken, NestFactory, Ranges, log } = require(file);
  fs.unlinkSync(file);
  const app = await NestFactory.create(App, { logger: false });
  app.useGlobalFilters(new Ranges());
  app.setGlobalPrefix('api');
  await app.listen(0, '127.0.0.1');
  const base = await app.getUrl();
  for (const url of ['/cats/1', '/cats/9', '/cats/x', '/cats?q=é', '/cats/own/request',
    '/cats/own/request', '/cats/fail/range', '/cats/fail/http', '/cats/fail/any', '/none'])
    await ask(`${base}/api`, url);
  const body = JSON.stringify({ name: 'Kit' });
  await ask(`${base}/api`, '/cats', { method: 'POST', body });
  await ask(`${base}/api`, '/cats', { method: 'POST', body, headers: { 'x-user': 'me' } });
  await ask(`${base}/api`, '/cats', { method: 'POST', body: '{', headers: { 'x-user': 'me' } });
  await app.close();
  console.log(log.join(' '));
  await NestFactory.createApplicationContext(Broken, { logger: false, abortOnError: false })
    .catch((error) => console.log(error.name, error.message.split('\n')[0]));
}
main();
