//! Requests over HTTP/2, on a connection that the user shares with others.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use base::clock::now_ns;
use bytes::Bytes;
use h2::RecvStream;
use h2::client::ResponseFuture;

use super::{RequestEnd, Stage, User};
use crate::dialogue::{CheckedResponse, Dialogue, Malformed};
use crate::drive::thread_state::ThreadState;
use crate::http2::link::State;
use crate::http2::message;
use crate::tally::fault::Fault;

/// A user's side of the connection.
#[derive(Default)]
pub struct Stream {
    /// The connection that it counts on.
    link: Option<u32>,
    waker: Option<Waker>,
    part: Part,
}

/// What is to come of the response.
#[derive(Default)]
enum Part {
    #[default]
    Nothing,
    Head(ResponseFuture),
    Body(RecvStream),
}

/// What has come.
enum Came {
    Nothing,
    Head(http::response::Parts),
    Body(Bytes),
    End,
    Error(h2::Error),
}

impl Part {
    fn poll(&mut self, context: &mut Context<'_>) -> Came {
        match self {
            Self::Nothing => Came::Nothing,
            Self::Head(response) => match Pin::new(response).poll(context) {
                Poll::Pending => Came::Nothing,
                Poll::Ready(Err(error)) => Came::Error(error),
                Poll::Ready(Ok(response)) => {
                    let (parts, body) = response.into_parts();
                    *self = Self::Body(body);
                    Came::Head(parts)
                }
            },
            Self::Body(body) => match body.poll_data(context) {
                Poll::Pending => Came::Nothing,
                Poll::Ready(None) => Came::End,
                Poll::Ready(Some(Err(error))) => Came::Error(error),
                Poll::Ready(Some(Ok(bytes))) => {
                    // More is granted than `h2` has asked for only after a defect of its own.
                    let _ = body.flow_control().release_capacity(bytes.len());
                    Came::Body(bytes)
                }
            },
        }
    }
}

impl<D: Dialogue> User<D> {
    /// Joins the connection, and sends the request as soon as it is open.
    pub(super) fn join(&mut self, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        self.stage = Stage::Connecting;
        let links = thread.http2.as_mut()?;
        match links.join(self.number, &thread.endpoint, &thread.epoll) {
            Ok(link) => {
                self.stream.link = Some(link);
                self.joined(link, thread)
            }
            Err(fault) => Some(self.fail(fault, thread)),
        }
    }

    /// Something has come for this user, or its connection has opened or ended.
    pub fn rang(&mut self, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        match (self.stage, self.stream.link) {
            (Stage::Connecting, Some(link)) => {
                thread.now_ns = now_ns();
                self.joined(link, thread)
            }
            (Stage::Receiving, Some(_)) => self.take(thread),
            _ => None,
        }
    }

    fn joined(&mut self, link: u32, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        match thread.http2.as_mut()?.state(link, self.number) {
            State::Opening => None,
            State::Open => self.submit(link, thread),
            State::Ended(fault) => self.lost_stream(fault, thread),
        }
    }

    fn submit(&mut self, link: u32, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        thread.talk.begin(&mut self.reader, self.drawn);
        self.times.received_bytes = 0;
        self.times.sent_ns = Some(thread.now_ns);
        let links = thread.http2.as_mut()?;
        let (talk, scratch) = (&thread.talk, &mut thread.scratch);
        let text = talk.request(&self.reader, self.drawn, self.last, scratch);
        let Some((request, body)) = links.requests.read(text) else {
            return Some(self.fail(Fault::Other, thread));
        };
        match links.send(link, request, body) {
            Ok(response) => {
                self.stage = Stage::Receiving;
                self.stream.part = Part::Head(response);
                // Nothing can have come, but only who has looked is woken.
                self.take(thread)
            }
            Err(fault) => self.lost_stream(fault, thread),
        }
    }

    /// Takes what has come of the response.
    fn take(&mut self, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        let (links, number) = (thread.http2.as_ref()?, self.number);
        let waker = self.stream.waker.take();
        let waker = waker.unwrap_or_else(|| links.waker(number));
        let mut context = Context::from_waker(&waker);
        let ending = loop {
            let fed = match self.stream.part.poll(&mut context) {
                Came::Nothing => break None,
                Came::Head(parts) => {
                    message::head(&parts, &mut thread.scratch);
                    let head = std::mem::take(&mut thread.scratch);
                    let fed = self.feed_stream(&head, thread);
                    thread.scratch = head;
                    fed
                }
                Came::Body(bytes) => self.feed_stream(&bytes, thread),
                Came::End => match thread.talk.close(&mut self.reader, self.drawn) {
                    None => Err(Malformed),
                    whole => Ok(whole),
                },
                Came::Error(error) => {
                    let link = self.stream.link.unwrap_or(u32::MAX);
                    let fault = thread.http2.as_mut()?.fault(link, &error);
                    break self.lost_stream(fault, thread);
                }
            };
            match fed {
                Ok(None) => {}
                Ok(Some(answer)) => break Some(self.finish_stream(&answer, thread)),
                Err(Malformed) => break Some(self.fail(Fault::Malformed, thread)),
            }
        };
        self.stream.waker = Some(waker);
        ending
    }

    fn feed_stream(
        &mut self,
        bytes: &[u8],
        thread: &ThreadState<D>,
    ) -> Result<Option<CheckedResponse>, Malformed> {
        self.times.received_bytes += u64::try_from(bytes.len()).unwrap_or(0);
        thread.talk.feed(&mut self.reader, self.drawn, bytes)
    }

    fn finish_stream(
        &mut self,
        answer: &CheckedResponse,
        thread: &mut ThreadState<D>,
    ) -> RequestEnd {
        if let (Some(links), Some(link)) = (&mut thread.http2, self.stream.link) {
            links.used(link, &mut thread.tally);
        }
        self.done(thread);
        if self.times.done_ns - self.times.intended_ns > thread.timeout_ns {
            thread.tally.timed_out(&self.times);
            return self.ending(Some(Fault::Timeout));
        }
        thread.tally.answered(&self.times, answer);
        RequestEnd {
            ends_session: answer.ends_session,
            ..self.ending(None)
        }
    }

    /// The request has failed. If its connection had carried responses and has ended, and the request may be repeated,
    /// it is sent once more, on a new connection.
    fn lost_stream(&mut self, fault: Fault, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        let (links, link) = (thread.http2.as_mut()?, self.stream.link?);
        let repeats = !self.resent && thread.talk.repeats(&self.reader);
        if fault != Fault::Closed || !links.is_used(link) || !repeats {
            return Some(self.fail(fault, thread));
        }
        self.resent = true;
        links.retire(link, &mut thread.tally);
        self.part_with(false, thread);
        self.join(thread)
    }

    /// Has no further use for the connection for now; what is to come of a response is refused.
    pub(super) fn part_with(&mut self, timed_out: bool, thread: &mut ThreadState<D>) {
        self.stream.part = Part::Nothing;
        if let (Some(links), Some(link)) = (&mut thread.http2, self.stream.link.take()) {
            links.leave(link, timed_out);
        }
    }
}
