/// Where a job is in its life.
///
/// | from | to | by |
/// |---|---|---|
/// | `waiting` | `running` | a queue with room, or ``Job/runInPlace()`` |
/// | `waiting`, `running` | `paused` | ``Job/pause()`` |
/// | `paused` | `waiting`, `running` | ``Job/resume()`` |
/// | `waiting`, `paused` | `cancelled` | ``Job/cancel(reason:)``, at once |
/// | `running` | `finished`, `failed`, `cancelled` | the end of its work |
///
/// The last three are final.
public enum JobState: String, Sendable, Codable, CaseIterable {
    /// It has not begun: its turn has not come, a prerequisite has not ended, or the network that it needs is not there.
    case waiting
    /// Its work runs; also while its work waits for the network.
    case running
    /// It does not begin, or its work stands at a pause point, or will at the next.
    case paused
    /// Its work has returned.
    case finished
    /// It was cancelled, and its work has ended if it had begun.
    case cancelled
    /// Its work threw an error.
    case failed

    /// Whether nothing changes any more.
    public var isEnded: Bool { self == .finished || self == .cancelled || self == .failed }
}
