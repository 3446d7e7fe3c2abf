/// A player of a queue as one value: what it does, where it is, and what comes next. It has no clock, no sound and no thread.
///
/// Each function takes the time at which it happens, in seconds of a clock that only goes forward, so that a test decides how time passes. The
/// value is stored as it is (`Codable`) and goes on from there; times of another clock are set by ``resume(at:)``.
///
/// | state | by | position |
/// |---|---|---|
/// | stopped | the beginning; ``stop(at:)``; the end of the queue | 0 |
/// | playing | ``play(at:)``; ``endSeeking(at:)`` of a player that played | grows with the clock |
/// | paused | ``pause(at:)`` | stays |
/// | seekingForward, seekingBackward | a skip button held for ``holdTime`` | changes by ``seekRate`` times the clock |
/// | interrupted | ``interrupt(at:)`` of a player that plays | stays |
///
/// Invariants:
/// 1. `order` has each place of `entries` exactly once.
/// 2. `index` is a place of `order`, and 0 when the queue is empty.
/// 3. The position is from 0 to the duration, where the duration is known.
public struct MusicPlayer: Sendable, Hashable {
    /// For how long a skip button is held until it seeks, in seconds.
    public static let holdTime = 0.1
    /// How many seconds of an item pass in a second of seeking.
    public static let seekRate = 8.0

    /// The items, in the order in which they were set and added.
    public internal(set) var entries: [MusicPlayerEntry] = []
    /// The order in which items are played, as places of `entries`.
    public internal(set) var order: [Int] = []
    /// The place of the current item in `order`.
    public internal(set) var index = 0
    /// What the player does.
    public internal(set) var state = MPMusicPlaybackState.stopped
    /// What comes after the last item.
    public var repeatMode = MPMusicRepeatMode.default
    /// In which order items come; set by ``setShuffle(_:using:)``.
    public internal(set) var shuffleMode = MPMusicShuffleMode.default
    /// What ``MPMusicRepeatMode/default`` is.
    public var preferredRepeat = MPMusicRepeatMode.none
    /// What ``MPMusicShuffleMode/default`` is.
    public var preferredShuffle = MPMusicShuffleMode.off
    /// From 0 to 1; other values are the nearest of these.
    public var volume = 1.0 { didSet { volume = volume.isNaN ? oldValue : min(1, max(0, volume)) } }

    /// The position at `changedAt`.
    var position = 0.0
    /// When `position` was set.
    var changedAt = 0.0
    /// The skip button that is held: since when, and in which direction.
    var held: Held?
    /// What the player did before it was made to seek or was interrupted.
    var before: MPMusicPlaybackState?

    struct Held: Sendable, Codable, Hashable {
        var since: Double
        var isForward: Bool
    }

    /// A player with an empty queue.
    public init() {}

    /// The entry of the current item; nil if the queue is empty.
    public var current: MusicPlayerEntry? { order.indices.contains(index) ? entries[order[index]] : nil }

    /// The entries in the order in which they are played.
    public var upcoming: [MusicPlayerEntry] { order.dropFirst(index).map { entries[$0] } }

    /// How many seconds of the current item are over.
    public func position(at now: Double) -> Double {
        let passed = max(0, now - changedAt)
        return switch state {
        case .playing: clamped(position + passed)
        case .seekingForward: clamped(position + passed * Self.seekRate)
        case .seekingBackward: clamped(position - passed * Self.seekRate)
        case .stopped, .paused, .interrupted: clamped(position)
        }
    }

    func clamped(_ seconds: Double) -> Double {
        guard !seconds.isNaN else { return 0 }
        let limit = current?.duration ?? 0
        return max(0, limit > 0 ? min(limit, seconds) : min(seconds, .greatestFiniteMagnitude))
    }

    /// When the current item ends if nothing else happens; nil if the player does not play or the duration is not known.
    public func end(at now: Double) -> Double? {
        guard let current, current.duration > 0 else { return nil }
        switch state {
        case .playing: return now + current.duration - position(at: now)
        case .seekingForward: return now + (current.duration - position(at: now)) / Self.seekRate
        default: return nil
        }
    }

    // MARK: - Time

    /// Lets time pass: items that have ended are followed by the next ones, and a button that is held begins to seek.
    ///
    /// - Returns: The items that have ended, in their order; of a queue that was repeated for long, not each repetition.
    @discardableResult
    public mutating func advance(to now: Double) -> [UInt64] {
        beginHeldSeek(now)
        var ended: [UInt64] = []
        while state == .playing || state == .seekingForward, let current, current.duration > 0 {
            let rate = state == .playing ? 1 : Self.seekRate
            let end = changedAt + (current.duration - position) / rate
            guard now >= end else { break }
            // A clock that was stopped for hours must not count each item of a queue that repeats.
            if ended.count > entries.count, skipWholeRounds(now) { continue }
            ended.append(current.item)
            moveOn(at: end)
        }
        if state == .playing || state == .seekingForward || state == .seekingBackward { settle(now) }
        return ended
    }

    /// Leaves out repetitions of the whole queue, or of one item, that fit into the time that has passed.
    private mutating func skipWholeRounds(_ now: Double) -> Bool {
        let rate = state == .playing ? 1 : Self.seekRate
        let items = repeats == .one ? [current].compactMap { $0 } : entries
        let round = items.reduce(0) { $0 + $1.duration } / rate
        guard round > 0, items.allSatisfy({ $0.duration > 0 }), now - changedAt > 2 * round else { return false }
        changedAt += ((now - changedAt) / round).rounded(.down) * round - round
        return true
    }

    /// Makes the position that of a time.
    mutating func settle(_ now: Double) {
        position = position(at: now)
        changedAt = now
    }

    /// Goes on after the value was stored: no time has passed in between.
    public mutating func resume(at now: Double) {
        changedAt = now
        if held != nil { endSeeking(at: now) }
    }

    var repeats: MPMusicRepeatMode { repeatMode == .default ? preferredRepeat : repeatMode }
    var shuffles: MPMusicShuffleMode { shuffleMode == .default ? preferredShuffle : shuffleMode }

    /// What follows an item that has ended.
    private mutating func moveOn(at time: Double) {
        (position, changedAt) = (0, time)
        if repeats == .one, state == .playing { return }
        if index + 1 < order.count {
            index += 1
        } else if repeats == .all {
            index = 0
        } else {
            halt()
        }
    }

    mutating func halt() {
        (state, position, held, before) = (.stopped, 0, nil, nil)
        index = 0
    }
}
