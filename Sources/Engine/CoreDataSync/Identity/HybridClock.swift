/// The clock of one peer, whose times grow although the physical clock goes back, stands or leaps.
///
/// Times only decide between changes that did not know of each other; what a change had seen it replaces whatever the times
/// say. So a clock may be wrong by years: it is not believed further than `limit` from the physical clock in either direction,
/// and no result comes out differently on two peers.
package struct HybridClock: Hashable, Sendable {
    /// How far times of others may be ahead of the physical clock before this clock ignores them, in milliseconds.
    package static let limit: UInt64 = 3_600_000

    package private(set) var last: HybridTime

    package init(last: HybridTime = .zero) { self.last = last }

    /// The time of a new transaction.
    ///
    /// A clock that was set years ahead and then right again returns to the physical time.
    package mutating func tick(at physical: UInt64) -> HybridTime {
        let now = HybridTime(milliseconds: physical)
        last = now > last || isMad(last, at: physical) ? now : last.next
        return last
    }

    /// Moves the clock past the time of a received transaction.
    ///
    /// - Returns: Whether the time is believable; otherwise the clock stays as it is.
    package mutating func observe(_ time: HybridTime, at physical: UInt64) -> Bool {
        guard !isMad(time, at: physical) else { return false }
        last = max(last, time)
        return true
    }

    private func isMad(_ time: HybridTime, at physical: UInt64) -> Bool {
        time.milliseconds > physical && time.milliseconds - physical > Self.limit
    }
}
