import CoreData

/// Finds fetches that scan a whole table for few of its rows, and suggests the index that would find these rows.
///
/// SQLite counts the rows that it steps through. A fetch is reported if it stepped through at least 1,000 rows and ten
/// times as many as it returned, and has a predicate, or a sort order with a fetch limit. The finding contains the
/// source lines of an index that would serve the fetch and that the model lacks, or else the operators that indexes
/// serve.
enum FullScans {
    static let fewestSteps = 1_000
    static let leastRatio = 10
    private static let cureWithoutIndex =
        "No further index serves this condition as it is written. Indexes serve =, <, <=, >, >=, BETWEEN, IN and BEGINSWITH "
        + "of attributes, in all parts of an OR; a search index serves CONTAINS. 'coredata explain' shows the query plan."

    private struct Question: Hashable {
        let model: UInt16
        let entity: UInt32
        let predicate: UInt32
        let shape: UInt32
    }

    private struct Group {
        var count = 0
        var time: UInt64 = 0
        var scanned = 0
        var rows = 0
        let first: Int
    }

    static func findings(in trace: Trace, _ selection: [Int32]) -> [TraceFinding] {
        var scanned: [Int: Int] = [:]
        for number in selection {
            let record = trace.records[Int(number)]
            guard record.kind == InstrumentEvent.Kind.statement.rawValue, record.scanned > 0 else { continue }
            let root = trace.root(of: Int(number))
            guard trace.kind(of: trace.records[root]) == .fetch else { continue }
            scanned[root, default: 0] += Int(record.scanned)
        }
        var groups: [Question: Group] = [:]
        for (index, steps) in scanned {
            let record = trace.records[index]
            guard steps >= fewestSteps, steps / leastRatio >= max(Int(record.rows), 1) else { continue }
            let question = Question(
                model: record.model, entity: record.entity, predicate: record.detail, shape: record.shape)
            groups[question, default: Group(first: index)].count += 1
            groups[question]?.time &+= record.duration
            groups[question]?.scanned += steps
            groups[question]?.rows += Int(record.rows)
        }
        var models: [UInt16: OutlineModel] = [:]
        return groups.values.compactMap { group in
            let record = trace.records[group.first]
            guard let note = trace.model(of: record) else { return nil }
            let model = models[record.model] ?? OutlineModel(note)
            models[record.model] = model
            return finding(group, model: model, trace: trace)
        }
    }

    private static func finding(_ group: Group, model: OutlineModel, trace: Trace) -> TraceFinding? {
        let record = trace.records[group.first]
        let entity = trace.text(record.entity)
        let question = trace.text(record.detail)
        let fetches = group.count == 1 ? "A fetch" : "\(group.count) fetches"
        let text =
            "\(fetches) of '\(entity)'\(question.isEmpty ? "" : " where \(question)") went through "
            + "\(group.scanned) rows for \(group.rows) results."
        guard
            let candidate = model.candidate(
                entity, outline: question, shape: FetchShape(trace.text(record.shape)),
                isCount: record.flags & InstrumentEvent.Flags.counted.rawValue != 0)
        else {
            guard !question.isEmpty else { return nil }
            return TraceFinding(
                kind: .fullScan, text: text, cure: cureWithoutIndex, entity: entity, context: record.context,
                count: group.count, time: group.time, event: group.first, stack: record.stack)
        }
        let keys = candidate.elements.map(\.property).joined(separator: ", ")
        return TraceFinding(
            kind: .fullScan, text: text,
            cure: "Give '\(candidate.entity)' an index over \(keys).",
            code: candidate.modelLines.joined(separator: "\n"),
            entity: candidate.entity, key: keys, context: record.context, count: group.count, time: group.time,
            event: group.first, stack: record.stack)
    }
}
