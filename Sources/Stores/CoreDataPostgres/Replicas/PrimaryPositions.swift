import CoreDataSQL

/// The known positions of the primary server's log and their times: a replica that answers must have replayed the log up to one
/// of them.
///
/// A replica that has a position that was queried no longer ago than the greatest lag is behind by no more, whether or not
/// anything was written since.
struct PrimaryPositions: Sendable {
    private struct Sample {
        /// When it was queried; everything before the position was committed before this time.
        let time: ContinuousClock.Instant
        let position: LogPosition
    }

    let greatestLag: Duration
    /// Ascending in time.
    private var samples: [Sample] = []
    /// The position that every answering replica must have, such as that of the last save; nil if there is no requirement.
    private var floor: LogPosition?
    /// The last save on the timeline that all positions are of; nil where none is known.
    private var save: LogPosition.MarkedSave?
    /// A position that was queried earlier is ignored.
    private var start = ContinuousClock.now
    /// An event with an unknown position happened before this: the first position that is queried later becomes the floor.
    private var unknown: ContinuousClock.Instant?

    init(greatestLag: Duration) { self.greatestLag = greatestLag }

    /// Notes a position that was queried at a time.
    ///
    /// - Parameter isFloor: whether all later reads must see what was read or saved by then.
    mutating func note(_ position: LogPosition, askedAt time: ContinuousClock.Instant, isFloor: Bool = false) {
        guard time >= start else { return }
        if let known = samples.last?.position ?? floor, known.timeline != position.timeline {
            // A server that another has taken the place of may still answer.
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

    /// Notes that something was saved or read that all who read later are to see, and that it is not known where it is in the log.
    mutating func noteUnknown(at time: ContinuousClock.Instant = .now) { unknown = time }

    /// Forgets all: another server may have taken the place of the one whose positions they are.
    mutating func forget(at time: ContinuousClock.Instant = .now) {
        (samples, floor, save, start, unknown) = ([], nil, nil, time, nil)
    }

    /// What a replica must have that is to answer now; nil where the server must be asked first.
    func required(at now: ContinuousClock.Instant = .now) -> LogPosition? {
        guard unknown == nil, let least = samples.first(where: { now - $0.time <= greatestLag }) else { return nil }
        var required = least.position
        if let floor, floor.place > required.place { required = floor }
        required.save = save
        return required
    }

    /// Whether the server is to be asked soon, so that there is a position when the present ones are too old.
    func isAging(at now: ContinuousClock.Instant = .now) -> Bool {
        samples.last.map { now - $0.time >= greatestLag / 4 } ?? true
    }
}
