import CoreData

/// Finds contexts that had at least `most` registered objects at once, which makes them slow and take much memory.
enum CrowdedContexts {
    static let most = 10_000

    static func findings(in trace: Trace, _ selection: [Int32]) -> [TraceFinding] {
        var worst: [UInt32: (event: Int, time: UInt64, count: Int)] = [:]
        for number in selection {
            let record = trace.records[Int(number)]
            guard record.context > 0, record.registered >= most else { continue }
            var found = worst[record.context] ?? (Int(number), 0, 0)
            found.time &+= trace.parents[Int(number)] < 0 ? record.duration : 0
            found.count += 1
            if trace.records[found.event].registered < record.registered { found.event = Int(number) }
            worst[record.context] = found
        }
        return worst.map { context, found in
            let record = trace.records[found.event]
            let name = trace.text(record.contextName)
            let title = name.isEmpty ? "Context \(context)" : "The context '\(name)'"
            let isFetch = trace.kind(of: record) == .fetch
            return TraceFinding(
                kind: .crowdedContext, text: "\(title) had \(record.registered) objects at once.",
                cure: isFetch
                    ? "Fetch what is shown with a batch size or a limit, or values as dictionaries."
                    : "Save and reset the context every thousand objects, or let go of those that are done with.",
                code: isFetch ? "request.fetchBatchSize = 100" : "context.reset()", entity: trace.text(record.entity),
                context: context, count: found.count, time: found.time, event: found.event, stack: record.stack)
        }
    }
}
