import CoreDataSQL

/// The known positions of the primary server's log and their times: a replica that answers must have replayed the log
/// up to one of them.
///
/// If a replica has reached a position that was queried within the maximum lag, the replica's lag is at most that long,
/// whether or not anything was written since.
struct PrimaryPositions: Sendable {
    private struct Sample {
        /// When the position was queried: everything before the position was committed before this time.
        let time: ContinuousClock.Instant
        let position: LogPosition
    }

    let greatestLag: Duration
    /// In ascending order of time.
    private var samples: [Sample] = []
    /// The position that every answering replica must have reached, such as that of the last save; nil if there is
    /// none.
    private var floor: LogPosition?
    /// The last save on the timeline of all positions; nil if none is known.
    private var save: LogPosition.MarkedSave?
    /// Positions that were queried before this time are ignored.
    private var start = ContinuousClock.now
    /// The time of an event with an unknown position: the first position that is queried later becomes the floor.
    private var unknown: ContinuousClock.Instant?

    init(greatestLag: Duration) { self.greatestLag = greatestLag }

    /// Adds a position that was queried at `time`.
    ///
    /// - Parameter isFloor: whether all later reads must see what was read or saved before the position.
    mutating func note(_ position: LogPosition, askedAt time: ContinuousClock.Instant, isFloor: Bool = false) {
        guard time >= start else { return }
        if let known = samples.last?.position ?? floor, known.timeline != position.timeline {
            // A former primary server that was replaced may still answer.
            guard position.timeline > known.timeline else { return }
            (samples, floor, save) = ([], nil, nil)
        }
        if let made = position.save { save = made }
        let coversUnknown = unknown.map { time >= $0 } ?? false
        if coversUnknown { unknown = nil }
        if isFloor || coversUnknown, floor.map({ $0.place < position.place }) ?? true { floor = position }
        if samples.last.map({ time - $0.time >= greatestLag / 8 }) ?? true {
            samples.append(Sample(time: time, position: position))
        }
        let lag = greatestLag
        samples.removeAll { time - $0.time > lag }
    }

    /// Records that all later reads must see an event whose position in the log is not known.
    mutating func noteUnknown(at time: ContinuousClock.Instant = .now) { unknown = time }

    /// Discards everything: another server may have replaced the primary.
    mutating func forget(at time: ContinuousClock.Instant = .now) {
        (samples, floor, save, start, unknown) = ([], nil, nil, time, nil)
    }

    /// Returns the position that a replica must have reached in order to answer now; nil if the primary must be queried
    /// first.
    func required(at now: ContinuousClock.Instant = .now) -> LogPosition? {
        guard unknown == nil, let least = samples.first(where: { now - $0.time <= greatestLag }) else { return nil }
        var required = least.position
        if let floor, floor.place > required.place { required = floor }
        required.save = save
        return required
    }

    /// Whether the primary should be queried soon, so that there is a position when the present ones are too old.
    func isAging(at now: ContinuousClock.Instant = .now) -> Bool {
        samples.last.map { now - $0.time >= greatestLag / 4 } ?? true
    }
}
