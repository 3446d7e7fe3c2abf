import CoreDataGraph
import Synchronization

/// A metrics handler that records all metrics; for processes of exit tests, since a process can have only one handler.
package final class MetricsLog: CoreDataMetricsHandler {
    private struct Metric: Hashable {
        let name: String
        let dimensions: [String: String]

        init(_ name: String, _ dimensions: CoreDataMetrics.Dimensions) {
            self.name = name
            self.dimensions = Dictionary(dimensions, uniquingKeysWith: { first, _ in first })
        }
    }

    private struct State {
        var counts: [Metric: Int] = [:]
        var times: [Metric: [Duration]] = [:]
        var values: [Metric: [Int]] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package func increment(_ counter: CoreDataMetrics.Counter, by amount: Int, dimensions: CoreDataMetrics.Dimensions) {
        state.withLock { $0.counts[Metric(counter.rawValue, dimensions), default: 0] += amount }
    }

    package func record(_ duration: Duration, of timer: CoreDataMetrics.Timer, dimensions: CoreDataMetrics.Dimensions) {
        state.withLock { $0.times[Metric(timer.rawValue, dimensions), default: []].append(duration) }
    }

    package func set(_ gauge: CoreDataMetrics.Gauge, to value: Int, dimensions: CoreDataMetrics.Dimensions) {
        state.withLock { $0.values[Metric(gauge.rawValue, dimensions), default: []].append(value) }
    }

    /// The total of a counter over all metrics that have the given dimensions.
    package func count(_ counter: CoreDataMetrics.Counter, _ dimensions: [String: String] = [:]) -> Int {
        state.withLock { $0.counts }.filter { Self.has($0.key, name: counter.rawValue, dimensions: dimensions) }.reduce(
            0
        ) {
            $0 + $1.value
        }
    }

    /// The recorded times of a timer in all metrics that have the given dimensions.
    package func times(_ timer: CoreDataMetrics.Timer, _ dimensions: [String: String] = [:]) -> [Duration] {
        state.withLock { $0.times }.filter { Self.has($0.key, name: timer.rawValue, dimensions: dimensions) }.flatMap(
            \.value)
    }

    /// The recorded values of a gauge in all metrics that have the given dimensions.
    package func values(_ gauge: CoreDataMetrics.Gauge, _ dimensions: [String: String] = [:]) -> [Int] {
        state.withLock { $0.values }.filter { Self.has($0.key, name: gauge.rawValue, dimensions: dimensions) }.flatMap(
            \.value)
    }

    private static func has(_ metric: Metric, name: String, dimensions: [String: String]) -> Bool {
        metric.name == name && dimensions.allSatisfy { metric.dimensions[$0.key] == $0.value }
    }
}
