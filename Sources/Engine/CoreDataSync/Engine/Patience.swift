/// How long a store waits for a baseline before it gives one itself.
///
/// Peers that retired each other while none could hear the others would all wait. So a store that for some ticks heard of peers which
/// wait as well, and of no other, goes on by itself if its former identity is the least of theirs. A peer that went on without something
/// that the log here does not have any more cannot give a baseline either: it takes one once this store goes on.
struct Patience: Sendable {
    private static let greatestTickCount = 20
    private var ticks = 0
    private var rivals: Set<PeerID> = []
    private var heardMember = false
    private var heardWaiting = false

    /// - Parameter floor: What the log of the store does not have any more.
    mutating func hear(_ greeting: Greeting, floor: VersionVector) {
        heardWaiting = true
        if let former = greeting.former {
            rivals.insert(former)
        } else if greeting.applied.isEmpty {
            return
        } else if greeting.applied.covers(floor) {
            heardMember = true
        } else {
            rivals = []
        }
    }

    /// Counts a tick; returns whether the store goes on by itself.
    mutating func isExhausted(_ former: PeerID) -> Bool {
        ticks = heardMember ? 0 : ticks + 1
        heardMember = false
        guard ticks > Self.greatestTickCount, heardWaiting, rivals.allSatisfy({ former < $0 }) else { return false }
        self = Patience()
        return true
    }
}
