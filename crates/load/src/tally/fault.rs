//! How a request can go wrong: httperf's kinds, and our own for responses that are not correct.

use rustix::io::Errno;

/// Why a request does not count as right. [`Fault::Descriptors`] and [`Fault::Ports`] are the driver's own fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The last byte had not come within the timeout.
    Timeout,
    /// Nobody listens there.
    Refused,
    /// The connection was reset.
    Reset,
    /// The server closed the connection before the response was whole.
    Closed,
    /// The response is not of its protocol.
    Malformed,
    /// The response has another status than the expected one.
    WrongStatus,
    /// The body is longer or shorter than the expected one.
    WrongLength,
    /// A sampled body differs from the expected one.
    WrongBody,
    /// A value that the response must hold is not there, or is another one.
    WrongValue,
    /// A sampled body does not inflate, though its head declares that it is compressed.
    NotInflated,
    /// The server returned an error.
    ErrorAnswer,
    /// The response has more or fewer rows than the correct one, or that many were affected.
    WrongRows,
    /// The rows of a sampled response are not the correct ones.
    WrongChecksum,
    /// The handshake failed (a certificate that is not trusted, no common cipher, no TLS at all), or what came was not
    /// correctly encrypted.
    Tls,
    /// The driver has no file descriptor left.
    Descriptors,
    /// The driver has no local port left.
    Ports,
    /// A call that was not made, since a fault had ended its session.
    Skipped,
    /// Still under way when the load ended, and not waited for.
    Unfinished,
    /// Any other error of the kernel.
    Other,
}

impl Fault {
    /// Every kind, in the order of its number.
    pub const ALL: [Self; 19] = [
        Self::Timeout,
        Self::Refused,
        Self::Reset,
        Self::Closed,
        Self::Malformed,
        Self::WrongStatus,
        Self::WrongLength,
        Self::WrongBody,
        Self::WrongValue,
        Self::NotInflated,
        Self::ErrorAnswer,
        Self::WrongRows,
        Self::WrongChecksum,
        Self::Tls,
        Self::Descriptors,
        Self::Ports,
        Self::Skipped,
        Self::Unfinished,
        Self::Other,
    ];

    /// The kind that an error of the kernel belongs to.
    pub fn of(errno: Errno) -> Self {
        match errno {
            // ENOENT: the file of a Unix socket is gone.
            Errno::CONNREFUSED | Errno::NOENT => Self::Refused,
            Errno::CONNRESET | Errno::CONNABORTED | Errno::PIPE => Self::Reset,
            Errno::TIMEDOUT => Self::Timeout,
            Errno::MFILE | Errno::NFILE => Self::Descriptors,
            // EAGAIN: connect(2), "no more free local ports" on kernels before 2.6.
            Errno::ADDRNOTAVAIL | Errno::ADDRINUSE | Errno::AGAIN => Self::Ports,
            _ => Self::Other,
        }
    }

    /// The name under which the record counts it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Refused => "refused",
            Self::Reset => "reset",
            Self::Closed => "closed",
            Self::Malformed => "malformed",
            Self::WrongStatus => "wrong-status",
            Self::WrongLength => "wrong-length",
            Self::WrongBody => "wrong-body",
            Self::WrongValue => "wrong-value",
            Self::NotInflated => "not-inflated",
            Self::ErrorAnswer => "error-answer",
            Self::WrongRows => "wrong-rows",
            Self::WrongChecksum => "wrong-checksum",
            Self::Tls => "tls",
            Self::Descriptors => "descriptors",
            Self::Ports => "ports",
            Self::Skipped => "skipped",
            Self::Unfinished => "unfinished",
            Self::Other => "other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Fault;
    use rustix::io::Errno;

    #[test]
    fn faults_are_numbered_in_the_order_of_the_list() {
        for (number, fault) in Fault::ALL.into_iter().enumerate() {
            assert_eq!(fault as usize, number);
        }
    }

    #[test]
    fn the_faults_of_the_driver_are_told_apart_from_those_of_the_server() {
        assert_eq!(Fault::of(Errno::MFILE), Fault::Descriptors);
        assert_eq!(Fault::of(Errno::NFILE), Fault::Descriptors);
        assert_eq!(Fault::of(Errno::ADDRNOTAVAIL), Fault::Ports);
        assert_eq!(Fault::of(Errno::CONNREFUSED), Fault::Refused);
        assert_eq!(Fault::of(Errno::NOENT), Fault::Refused);
        assert_eq!(Fault::of(Errno::PIPE), Fault::Reset);
        assert_eq!(Fault::of(Errno::HOSTUNREACH), Fault::Other);
    }
}
