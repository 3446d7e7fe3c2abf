/// The numbered frames that were sent and are not acknowledged, kept to be sent again on a new wire.
///
/// Invariants:
/// 1. `frames` have consecutive numbers; the last one has `next - 1`.
/// 2. `bytes` is the sum of their lengths.
/// 3. Frames from `unsent` on have not been written to the present wire.
struct SendWindow: Sendable {
    private var frames: [[UInt8]] = []
    /// The place of the first frame that is not acknowledged; what is before it is removed from time to time.
    private var start = 0
    private var unsent = 0
    private(set) var bytes = 0
    private(set) var next: UInt64 = 1

    var count: Int { frames.count - start }
    /// The number up to which the other side has all frames.
    var acknowledged: UInt64 { next - 1 - UInt64(count) }

    /// Keeps a frame that is about to be written; it has the number `next`.
    mutating func append(_ frame: [UInt8]) {
        frames.append(frame)
        unsent = frames.count
        bytes += frame.count
        next += 1
    }

    /// A frame that must be written again, if there is one.
    mutating func takeUnsent() -> [UInt8]? {
        guard unsent < frames.count else { return nil }
        defer { unsent += 1 }
        return frames[unsent]
    }

    /// Forgets the frames up to a number.
    ///
    /// - Returns: Whether any was forgotten.
    /// - Throws: `PeerFailure` with `invalid` if a frame with that number was never sent.
    @discardableResult
    mutating func acknowledge(_ number: UInt64) throws -> Bool {
        guard number < next else {
            throw PeerFailure(.invalid, "frame \(number) is acknowledged, but only \(next - 1) were sent")
        }
        guard number > acknowledged else { return false }
        let count = Int(number - acknowledged)
        for place in start..<start + count {
            bytes -= frames[place].count
            frames[place] = []
        }
        start += count
        unsent = max(unsent, start)
        if start == frames.count {
            if frames.capacity > 64 { frames = [] } else { frames.removeAll(keepingCapacity: true) }
            (unsent, start) = (0, 0)
        } else if start > 256, start > frames.count / 2 {
            frames.removeFirst(start)
            (unsent, start) = (unsent - start, 0)
        }
        return true
    }

    /// Begins on a new wire, whose other side has all frames up to a number.
    ///
    /// - Throws: `PeerFailure` with `invalid` if the other side has forgotten frames, or has more than were sent.
    mutating func restart(after number: UInt64) throws {
        guard number >= acknowledged else {
            throw PeerFailure(
                .invalid, "the other side has acknowledged frame \(acknowledged) and now asks from \(number)")
        }
        try acknowledge(number)
        unsent = start
    }
}
