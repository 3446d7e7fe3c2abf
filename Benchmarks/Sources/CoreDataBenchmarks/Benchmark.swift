/// A piece of work that is measured: done by the library, and where it can be done in plain C.
struct Benchmark: Sendable {
    /// What selects it: `FILTER=A`.
    let code: String
    /// Whether its cost at several sizes can be compared.
    let grows: Bool
    private let body: @Sendable (Int, Session) throws -> [Row]
    private let size: Int

    /// Work whose measures are its own; it grows if some of its rows have times of both sides.
    init(
        _ code: String, size: Int, grows: Bool = false, _ body: @escaping @Sendable (Int, Session) throws -> [Row]
    ) {
        self.code = code
        self.size = size
        self.grows = grows
        self.body = body
    }

    /// Work on so many things that both sides do by turns; `#` in the title stands for how many.
    init(
        _ code: String, _ title: String, size: Int, bar: Double, stretch: Double? = nil,
        runs: Int? = nil, sides: @escaping @Sendable (Int, Workbench) throws -> Sides
    ) {
        self.code = code
        self.size = size
        grows = true
        body = { size, session in
            let measurement = try Measurement(
                of: sides(size, session.workbench), runs: min(runs ?? session.runs, session.runs))
            return [
                Row(
                    name: "\(code)  \(title.replacing("#", with: "\(size)"))", value: measurement.ratio, bar: bar,
                    stretch: stretch,
                    measurement: measurement)
            ]
        }
    }

    func rows(_ session: Session, size part: Double = 1) throws -> [Row] {
        try body(count(session, size: part), session)
    }

    /// How many things the work is done on.
    func count(_ session: Session, size part: Double = 1) -> Int { max(1, Int(Double(size) * session.scale * part)) }
}

/// What all benchmarks of one run share.
struct Session {
    let scale: Double
    let runs: Int
    let workbench: Workbench
}

/// The two sides of a benchmark; each call does the whole work once.
struct Sides {
    let ours: () throws -> Sample
    let raw: () throws -> Sample
}

/// What one run took.
struct Sample: Sendable {
    let seconds: Double
    /// The memory in use for the results when the run had ended, in bytes for each object.
    var bytesPerObject = 0.0
}

/// The medians of several runs of both sides.
struct Measurement {
    let ours: Sample
    let raw: Sample
    /// How far the middle half of the library's runs lie apart, as a part of the median.
    let spread: Double

    var ratio: Double { ours.seconds / raw.seconds }

    /// One run of each side.
    init(ours: Sample, raw: Sample) {
        (self.ours, self.raw) = (ours, raw)
        spread = 0
    }

    /// Runs both sides once to warm up, and then by turns, so that a slow moment of the machine meets both.
    init(of sides: Sides, runs: Int) throws {
        _ = try (sides.ours(), sides.raw())
        var samples: (ours: [Sample], raw: [Sample]) = ([], [])
        for _ in 0..<runs {
            samples.ours.append(try sides.ours())
            samples.raw.append(try sides.raw())
        }
        ours = Self.median(of: samples.ours)
        raw = Self.median(of: samples.raw)
        let times = samples.ours.map(\.seconds).sorted()
        spread = (times[times.count * 3 / 4] - times[times.count / 4]) / ours.seconds
    }

    private static func median(of samples: [Sample]) -> Sample {
        Sample(
            seconds: median(of: samples.map(\.seconds)), bytesPerObject: median(of: samples.map(\.bytesPerObject)))
    }

    static func median(of values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// One figure with what it should be.
struct Row {
    let name: String
    /// A ratio, unless the name says what else.
    let value: Double
    var bar: Double?
    var stretch: Double?
    var measurement: Measurement?
    /// What other libraries took for the same.
    var peerSeconds: [Peer.Library: Double] = [:]

    /// The row as it is told while others are still measured.
    var line: String { "\(name): \((value * 100).rounded() / 100)\(isMissed ? " missed" : "")" }

    var isMissed: Bool { bar.map { value > $0 } ?? false }
}
