-- Reads every page of the tables and of their indexes once.
SELECT SUM(LENGTH(about)) FROM board;
SELECT SUM(LENGTH(signature)) FROM author;
SELECT SUM(LENGTH(subject)) FROM thread;
SELECT SUM(LENGTH(body)) FROM article;
SELECT SUM(LENGTH(body)) FROM message;
SELECT COUNT(*) FROM thread FORCE INDEX (thread_board) WHERE board >= 0;
SELECT COUNT(*) FROM message FORCE INDEX (message_thread) WHERE thread >= 0;
SELECT COUNT(*) FROM message FORCE INDEX (message_author) WHERE author >= 0;
