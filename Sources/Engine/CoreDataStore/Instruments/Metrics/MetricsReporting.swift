import CoreDataModeling

/// Converts events to metrics.
enum MetricsReporting {
    static func report(_ event: InstrumentEvent, end: UInt64) {
        guard let handler = CoreDataMetrics.handler else { return }
        let time = Duration.nanoseconds(Int64(clamping: end > event.start ? end - event.start : 0))
        switch event.kind {
        case .fetch:
            let dimensions = named([(CoreDataMetrics.Dimension.collection, event.entity)])
            handler.increment(.fetches, by: 1, dimensions: dimensions)
            handler.record(time, of: .fetch, dimensions: dimensions)
        case .save where !event.flags.contains(.toParent):
            let dimensions = named([(CoreDataMetrics.Dimension.namespace, event.store)])
            handler.increment(.saves, by: 1, dimensions: dimensions)
            handler.record(time, of: .save, dimensions: dimensions)
        case .fault:
            handler.increment(
                .faultsFired, by: 1,
                dimensions: named([
                    (CoreDataMetrics.Dimension.collection, event.entity),
                    (CoreDataMetrics.Dimension.namespace, event.store),
                ]))
        case .wait:
            handler.increment(
                .busyWaits, by: 1,
                dimensions: named([
                    (CoreDataMetrics.Dimension.namespace, event.store), (CoreDataMetrics.Dimension.reason, "reader"),
                ]))
            handler.record(
                time, of: .readerWait, dimensions: named([(CoreDataMetrics.Dimension.pool, event.store)]))
        case .statement:
            let dimensions = named([
                (CoreDataMetrics.Dimension.system, event.system), (CoreDataMetrics.Dimension.namespace, event.store),
            ])
            handler.record(time, of: .statement, dimensions: dimensions)
            if event.found > 0 { handler.increment(.rowsRead, by: event.found, dimensions: dimensions) }
        case .save, .members, .prefetch, .merge: break
        }
    }

    /// The dimensions whose values are not empty.
    private static func named(_ dimensions: CoreDataMetrics.Dimensions) -> CoreDataMetrics.Dimensions {
        dimensions.filter { !$0.1.isEmpty }
    }
}

/// Metrics that do not come from events.
extension CoreDataMetrics {
    /// Adds an amount to a counter of a store.
    package static func add(_ amount: Int, to counter: Counter, of store: @autoclosure () -> String) {
        guard isOn, amount > 0, let handler else { return }
        handler.increment(counter, by: amount, dimensions: [(Dimension.namespace, store())])
    }

    /// Counts that a connection begins to wait for another connection's lock.
    package static func countLockWait(of store: String) {
        guard isOn, let handler else { return }
        handler.increment(
            .busyWaits, by: 1, dimensions: [(Dimension.namespace, store), (Dimension.reason, "lock")])
    }

    /// Sets the numbers of used and idle reader connections of a store.
    package static func setReaders(used: Int, idle: Int, of store: String, system: String) {
        guard let handler else { return }
        for (state, count) in [("used", used), ("idle", idle)] {
            handler.set(
                .readerConnections, to: count,
                dimensions: [(Dimension.system, system), (Dimension.pool, store), (Dimension.state, state)])
        }
    }

    /// Runs a migration of a store, and reports its duration and outcome.
    package static func measuringMigration<Result>(of store: String, _ body: () throws -> Result) rethrows -> Result {
        guard isOn else { return try body() }
        let start = ContinuousClock.now
        var outcome = "failed"
        defer {
            if let handler {
                let dimensions = [(Dimension.namespace, store), (Dimension.outcome, outcome)]
                handler.increment(.migrations, by: 1, dimensions: dimensions)
                handler.record(.now - start, of: .migration, dimensions: dimensions)
            }
        }
        let result = try body()
        outcome = "done"
        return result
    }
}
