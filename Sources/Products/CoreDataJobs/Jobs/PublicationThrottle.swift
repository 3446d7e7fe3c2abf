/// When the next progress of a job may be published: an interval after the last one.
///
/// Changes of state are published at once, and count as a publication.
struct PublicationThrottle {
    enum Decision: Equatable {
        case publish
        /// Publish after this time what is known then.
        case publishLater(Duration)
        /// A later publication is under way already.
        case skip
    }

    let interval: Duration
    private var last: Duration?
    private var isPending = false

    init(interval: Duration) { self.interval = interval }

    /// Decides about new progress.
    mutating func progressed(at now: Duration) -> Decision {
        guard !isPending else { return .skip }
        guard let last, now - last < interval else {
            last = now
            return .publish
        }
        isPending = true
        return .publishLater(interval - (now - last))
    }

    /// A publication that was put off is due; false if it has been overtaken by one of a state.
    mutating func becameDue(at now: Duration) -> Bool {
        guard isPending else { return false }
        isPending = false
        last = now
        return true
    }

    /// Something was published besides.
    mutating func published(at now: Duration) {
        isPending = false
        last = now
    }
}
