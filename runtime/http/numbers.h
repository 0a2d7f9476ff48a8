/* Numbers that C and JavaScript share. Each list is the only place that has them: C gets an enum,
 * JavaScript the object of that name in binding('http'). */
#ifndef PH_HTTP_NUMBERS_H
#define PH_HTTP_NUMBERS_H

/* What a head that came in says. */
#define PH_HTTP_FLAGS(X)                                                                         \
    X(KEEP_ALIVE, 1)       /* the fields let the connection carry another message */             \
    X(UPGRADE, 2)          /* the message asks for another protocol */                           \
    X(CHUNKED, 4)          /* the body comes in chunks */                                        \
    X(LENGTH, 8)           /* content-length was given */                                        \
    X(NO_BODY, 16)         /* the message ends with its head */                                  \
    X(EXPECT_CONTINUE, 32) /* expect: 100-continue */                                            \
    X(EXPECT_OTHER, 64)    /* expect: anything else */                                           \
    X(HOST, 128)           /* there is a host field */                                           \
    X(CONNECTION_CLOSE, 512)                                                                     \
    X(UNTIL_END, 1024) /* the body ends with the connection */                                   \
    X(VERSION, 16)     /* not a flag: the bits from here on are ten times the major version, and \
                          the minor one */

/* What the owner says about the body after it has seen a head. */
#define PH_HTTP_ANSWERS(X)                                                             \
    X(BODY_AS_SAID, 0)                                                                 \
    X(BODY_NONE, 1)    /* there is none whatever the head says (the answer to HEAD) */ \
    X(BODY_UPGRADE, 2) /* none, and what follows is another protocol */                \
    X(BODY_STOP, 3)    /* the owner failed */

/* What is added to the lines of a head that goes out. */
#define PH_HTTP_ADDITIONS(X)                                   \
    X(ADD_DATE, 1)                                             \
    X(ADD_KEEP_ALIVE, 2)                                       \
    X(ADD_TIMEOUT, 4)                                          \
    X(ADD_CLOSE, 8)                                            \
    X(ADD_LENGTH, 16)                                          \
    X(ADD_CHUNKED, 32)                                         \
    X(HEAD_IS_MADE, 64) /* the first text is the whole head */ \
    X(IN_CHUNKS, 128)   /* the lines say that the body comes in chunks */

#define PH_HTTP_NUMBER(name, value) PH_HTTP_##name = (value),
enum { PH_HTTP_FLAGS(PH_HTTP_NUMBER) };
typedef enum { PH_HTTP_ANSWERS(PH_HTTP_NUMBER) } ph_http_answer;
enum { PH_HTTP_ADDITIONS(PH_HTTP_NUMBER) };

#endif
