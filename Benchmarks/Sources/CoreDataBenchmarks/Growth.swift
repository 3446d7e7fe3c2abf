import CRawBaseline
import CoreData

/// How cost grows with size: the exponent of a power through the times of four sizes.
enum Growth {
    private static let bar = 1.05
    /// A sixteenth of a benchmark's size, a quarter, the whole and four times as much.
    private static let parts = [1.0 / 16, 1.0 / 4, 1, 4]
    /// A size that would take longer is left out.
    private static let greatestSeconds = 1_200.0

    /// The exponents of the rows of a benchmark that have times of both sides.
    ///
    /// Four times the size is left out where it would take too long or too much memory; the rows' names then say so.
    static func rows(of benchmark: Benchmark, _ session: Session) throws -> [Row] {
        var measured: [[Row]] = []
        var obstacle = ""
        for part in parts {
            defer { session.workbench.clear() }
            ProcessMemory.resetPeak()
            let (start, before) = (raw_now(), try ProcessMemory.resident())
            measured.append(try benchmark.rows(session, size: part))
            guard part == 1 else { continue }
            let (seconds, bytes) = (raw_now() - start, try ProcessMemory.peak() - before)
            if let found = try Self.obstacle(to: seconds * 4, bytes * 4) {
                obstacle = "; without 4 times the size, \(found)"
                break
            }
        }
        let count = measured.map(\.count).min() ?? 0
        return (0..<count).compactMap { index in row(measured.map { $0[index] }, obstacle) }
    }

    /// Why work that takes so long and so much memory is left out; nil where it is done.
    private static func obstacle(to seconds: Double, _ bytes: Int) throws -> String? {
        if seconds > greatestSeconds { return "which would take \(Int(seconds / 60)) min" }
        if bytes > (try ProcessMemory.available()) { return "which would take \(bytes >> 20) MiB of memory" }
        return nil
    }

    /// The exponent of a row that was measured at several sizes, the third of them the whole.
    private static func row(_ measured: [Row], _ obstacle: String) -> Row? {
        let times = measured.compactMap(\.measurement)
        guard times.count == measured.count else { return nil }
        let ours = exponent(times.map(\.ours.seconds))
        let raw = String(format: "%.2f", exponent(times.map(\.raw.seconds)))
        return Row(
            name: "\(measured[2].name): exponent of growth (in C \(raw)\(obstacle))", value: ours, bar: bar,
            measurement: measured[2].measurement)
    }

    /// The slope of the line through the logarithms.
    private static func exponent(_ times: [Double]) -> Double {
        let (x, y) = (parts.prefix(times.count).map { log($0) }, times.map { log($0) })
        let (meanX, meanY) = (x.reduce(0, +) / Double(x.count), y.reduce(0, +) / Double(y.count))
        let slope = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
        return slope / x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
    }
}
