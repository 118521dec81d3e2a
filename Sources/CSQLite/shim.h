#include <sqlite3.h>

// SQLITE_TRANSIENT (copy the bytes before returning) is a cast of -1 to a function pointer, which
// Swift does not import.
static inline int homeboard_bind_text(
    sqlite3_stmt *statement, int index, const char *bytes, int count
) {
    return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int homeboard_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int count
) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// sqlite3_db_config takes variable arguments, which Swift does not import.

// Keeps ordinary SQL from overwriting the database's own structures.
static inline int homeboard_make_defensive(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

// Leaves the write-ahead log alone when the last connection closes.
static inline int homeboard_skip_checkpoint_on_close(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
