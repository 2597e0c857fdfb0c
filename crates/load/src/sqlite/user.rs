//! One thread: a connection of its own, and its requests.

use std::sync::Arc;

use base::clock::now_ns;

use super::arrival_queue::ArrivalQueue;
use super::deadline;
use super::engine::{Ended, Engine};
use super::load::{Load, RequestSource};
use crate::dialogue::CheckedResponse;
use crate::sql::mix::{Answer, Drawn, Draws, Queries};
use crate::tally::RequestTimes;

/// A thread that sends requests.
pub struct User<'a> {
    /// Its number, from 0.
    pub thread: usize,
    /// What is sent.
    pub queries: &'a Queries,
    /// The thread's next requests.
    pub draws: Draws,
    /// The database.
    pub engine: Engine<'a>,
    /// The load that it is part of.
    pub load: Arc<Load>,
    /// SQLite's text for the first error.
    pub said: Option<String>,
}

/// A request to be made.
#[derive(Clone, Copy)]
struct IntendedRequest {
    intended_ns: u64,
    lag_ns: u64,
    queued: bool,
}

/// How a request counts.
enum Verdict {
    /// Not at all: the load was over before it was.
    Abandoned,
    /// As a timeout.
    TooLate,
    /// As a response.
    Answered(CheckedResponse),
}

impl User<'_> {
    /// Asks until the load is over.
    pub fn run(&mut self) {
        let load = Arc::clone(&self.load);
        deadline::set_load(Arc::clone(&load));
        match &load.asks {
            RequestSource::Users { think_ns } => self.ask_and_think(&load, *think_ns),
            RequestSource::ArrivalQueue(line) => self.take(&load, line),
        }
    }

    fn ask_and_think(&mut self, load: &Load, think_ns: u64) {
        let mut intended_ns = load.began_ns;
        while load.sleep_until(intended_ns) {
            let ask = IntendedRequest {
                intended_ns,
                lag_ns: 0,
                queued: false,
            };
            intended_ns = self.ask(load, ask) + think_ns;
        }
        if intended_ns < load.stops_ns() {
            // Its request was due, and it got no CPU before the end.
            load.counts
                .count(self.thread, |tally| tally.began(intended_ns, intended_ns));
        }
    }

    fn take(&mut self, load: &Load, line: &ArrivalQueue) {
        let mut since_ns = now_ns();
        while let Some(arrival) = line.take(self.thread, since_ns) {
            let late_ns = arrival.taken_ns - arrival.intended_ns;
            let ask = IntendedRequest {
                intended_ns: arrival.intended_ns,
                // What waits in the queue came in time; only its response is late.
                lag_ns: if arrival.queued { 0 } else { late_ns },
                queued: arrival.queued,
            };
            since_ns = self.ask(load, ask);
        }
    }

    /// Makes a request, and counts it; when it ended.
    fn ask(&mut self, load: &Load, ask: IntendedRequest) -> u64 {
        let over_ns = ask.intended_ns.saturating_add(load.rules.timeout_ns);
        let mut times = RequestTimes {
            intended_ns: ask.intended_ns,
            lag_ns: ask.lag_ns,
            queued: ask.queued,
            ..RequestTimes::default()
        };
        let sent_ns = now_ns();
        let (verdict, done_ns) = if sent_ns < over_ns {
            deadline::set_until_ns(over_ns);
            let drawn = self.queries.draw(&mut self.draws);
            let ended = self.engine.ask(self.queries, &drawn);
            times.kind = Some(drawn.query);
            times.sent_ns = Some(sent_ns);
            times.done_ns = now_ns();
            let abandoned = times.done_ns >= load.stops_ns() || !load.is_one(times.done_ns);
            let verdict = if abandoned {
                Verdict::Abandoned
            } else {
                self.verdict(&drawn, ended, times.done_ns > over_ns)
            };
            (verdict, times.done_ns)
        } else {
            times.done_ns = over_ns;
            (Verdict::TooLate, sent_ns)
        };
        load.counts.count(self.thread, |tally| {
            tally.began(ask.intended_ns, ask.intended_ns + ask.lag_ns);
            match verdict {
                Verdict::Abandoned => {}
                Verdict::TooLate => tally.timed_out(&times),
                Verdict::Answered(judged) => tally.answered(&times, &judged),
            }
        });
        done_ns
    }

    fn verdict(&mut self, drawn: &Drawn, ended: Ended, too_late: bool) -> Verdict {
        let answer = match ended {
            Ended::Stopped => return Verdict::TooLate,
            _ if too_late => return Verdict::TooLate,
            Ended::Answer(answer) => answer,
            Ended::Failed(error) => {
                let name = &self.queries.query(drawn.query).name;
                let words = || format!("the query {name:?}: {error}");
                let _ = self.said.get_or_insert_with(words);
                Answer {
                    error: true,
                    ..Answer::default()
                }
            }
        };
        Verdict::Answered(CheckedResponse {
            fault: self.queries.judge(drawn, &answer),
            rows: if self.queries.query(drawn.query).writes {
                0
            } else {
                answer.rows
            },
            ..CheckedResponse::default()
        })
    }
}
