/**
 * The peer of `bench/sockets.mjs`: a Socket.IO server in Node that does the same and nothing else. Every socket proves
 * itself with a token of the list and joins a room; `POST /ring` tells the room.
 */
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const http = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    io.to('company').emit('ring', JSON.parse(body));
    response.end('{}');
  });
});
const io = new Server(http, { serveClient: false, maxHttpBufferSize: 16 * 1024, perMessageDeflate: false });
io.use((socket, next) => next(socket.handshake.auth.token === 'token' ? undefined : new Error('UNAUTHENTICATED')));
io.on('connection', (socket) => socket.join(socket.handshake.auth.ring ? 'company' : 'others'));
http.listen(0, '127.0.0.1', () => console.log(http.address().port));
