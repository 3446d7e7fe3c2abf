import CoreData

/// How cost grows with size: the exponent of a power through the times of three sizes.
enum Growth {
    private static let bar = 1.1

    /// Times at a sixteenth, a quarter and the whole of a benchmark's size.
    static func row(of benchmark: Benchmark, _ session: Session) throws -> Row {
        let parts = [1.0 / 16, 1.0 / 4, 1]
        let measured = try parts.map { part in
            defer { session.workbench.clear() }
            return try benchmark.rows(session, size: part)[0]
        }
        let times = measured.compactMap(\.measurement)
        let ours = exponent(parts, times.map(\.ours.seconds))
        let raw = String(format: "%.2f", exponent(parts, times.map(\.raw.seconds)))
        return Row(
            name: "\(measured[2].name): exponent of growth (in C \(raw))", value: ours, bar: bar,
            measurement: measured[2].measurement)
    }

    /// The slope of the line through the logarithms.
    private static func exponent(_ sizes: [Double], _ times: [Double]) -> Double {
        let (x, y) = (sizes.map { log($0) }, times.map { log($0) })
        let (meanX, meanY) = (x.reduce(0, +) / Double(x.count), y.reduce(0, +) / Double(y.count))
        let slope = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
        return slope / x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
    }
}
