/// One thing that is measured twice: done by the library, and done in plain C.
struct Workload {
    let name: String
    /// The ratio of the library's time to the raw time that is good enough.
    let bar: Double
    let ours: () throws -> Sample
    let raw: () throws -> Sample
}

/// What one run took.
struct Sample: Sendable {
    let seconds: Double
    /// The memory in use for the results when the run had ended, in bytes for each object.
    let bytesPerObject: Double
}

/// The medians of several runs of a workload.
struct Measurement {
    let workload: Workload
    let ours: Sample
    let raw: Sample

    var ratio: Double { ours.seconds / raw.seconds }

    /// Runs both sides once to warm up, and then by turns, so that a slow moment of the machine meets both.
    init(of workload: Workload, runs: Int) throws {
        _ = try (workload.ours(), workload.raw())
        var samples: (ours: [Sample], raw: [Sample]) = ([], [])
        for _ in 0..<runs {
            samples.ours.append(try workload.ours())
            samples.raw.append(try workload.raw())
        }
        self.workload = workload
        ours = Self.median(of: samples.ours)
        raw = Self.median(of: samples.raw)
    }

    private static func median(of samples: [Sample]) -> Sample {
        Sample(
            seconds: median(of: samples.map(\.seconds)),
            bytesPerObject: median(of: samples.map(\.bytesPerObject))
        )
    }

    private static func median(of values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
