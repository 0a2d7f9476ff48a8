// @apollo/server: queries, mutations, batches of loaders, errors, plugins, over HTTP
'use strict';
const { ApolloServer } = require('@apollo/server');
const { startStandaloneServer } = require('@apollo/server/standalone');
const { GraphQLError } = require('graphql');

const typeDefs = `#graphql
  "A book of the shop"
  type Book { id: ID! title: String! author: Author pages: Int @deprecated(reason: "who counts") }
  type Author { name: String! books(first: Int = 2): [Book!]! }
  union Found = Book | Author
  enum Order { UP DOWN }
  input NewBook { title: String!, pages: Int = 7 }
  type Query { books(order: Order = UP): [Book!]! find(text: String!): [Found!]!
    broken: String! slow: Int }
  type Mutation { add(book: NewBook!): Book! }
`;
const books = [{ id: 1, title: 'One', author: 'Ada' }, { id: 2, title: 'Two', author: 'Bob' }];
const resolvers = {
  Query: {
    books: (_, { order }) => (order === 'UP' ? books : [...books].reverse()),
    find: (_, { text }) => [...books, ...books.map(({ author }) => ({ name: author }))]
      .filter((one) => (one.title ?? one.name).includes(text)),
    broken() { throw new GraphQLError('broken on purpose', { extensions: { code: 'TEAPOT' } }); },
    slow: () => new Promise((resolve) => setTimeout(resolve, 10, 5)),
  },
  Mutation: { add: (_, { book }, { user }) => {
    if (!user) throw new GraphQLError('who?', { extensions: { code: 'UNAUTHENTICATED',
      http: { status: 401 } } });
    return books[books.push({ id: books.length + 1, author: user, ...book }) - 1];
  } },
  Book: { author: ({ author }) => ({ name: author }) },
  Author: { books: ({ name }, { first }) => books.filter(({ author }) => author === name)
    .slice(0, first) },
  Found: { __resolveType: (value) => (value.title ? 'Book' : 'Author') },
};

async function main() {
  const told = [];
  const server = new ApolloServer({ typeDefs, resolvers, includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: true, plugins: [{ async requestDidStart() {
      return { async parsingDidStart() { told.push('parse'); },
        async didEncounterErrors({ errors }) { told.push(errors[0].message.slice(0, 20)); } };
    }, async serverWillStart() {
      return { async drainServer() { told.push('drained'); } };
    } }] });
  const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' },
    context: async ({ req }) => ({ user: req.headers.authorization }) });
  const ask = async (body, headers = {}) => {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers } });
    console.log(answer.status, answer.headers.get('content-type'), await answer.text());
  };
  await ask({ query: '{ books(order: DOWN) { id title author { name books { title } } } slow }' });
  await ask({ query: 'query Q($t: String!) { find(text: $t) { __typename ... on Book { title } } }',
    variables: { t: 'o' } });
  await ask({ query: 'mutation { add(book: { title: "New" }) { id pages } }' });
  await ask({ query: 'mutation { add(book: { title: "New" }) { id pages } }' },
    { authorization: 'Cyd' });
  await ask({ query: '{ broken }' });
  await ask({ query: '{ nothing { here } books { id( } }' });
  await ask({ query: '{ nothing }' });
  await ask([{ query: '{ slow }' }, { query: '{ books { id } }' }]);
  await ask({ query: `{ __type(name: "Book") { description fields(includeDeprecated: true) {
    name isDeprecated deprecationReason type { kind ofType { name } } } } }` });
  const simple = await fetch(`${url}?query={slow}`);
  console.log(simple.status, (await simple.text()).split('\n')[0].slice(0, 80));
  await server.stop();
  console.log(told);
}
main();
