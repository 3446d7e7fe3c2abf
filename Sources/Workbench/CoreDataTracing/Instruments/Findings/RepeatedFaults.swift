import CoreData

/// Finds N+1 queries: many single faults from one call site after a fetch. Suggests the prefetch that replaces them by
/// one query.
///
/// Firing the fault of one object, or of one to-many relationship, is one query. A finding needs ten or more such
/// queries of the same entity or relationship, from the same call site and in the same context, after one fetch, and a
/// path of relationships from the fetched entity to the queried one that the fetch did not prefetch.
enum RepeatedFaults {
    static let fewest = 10
    /// The most relationships in the path from the fetched objects to the objects whose faults fired.
    private static let longestPath = 3

    private struct Site: Hashable {
        let fetch: Int
        let kind: UInt8
        let entity: UInt32
        let relationship: UInt32
        let stack: UInt32
    }

    private struct Group {
        var count = 0
        var time: UInt64 = 0
        /// The number of fetches that the faults of the group followed.
        var fetches = 1
        let first: Int
    }

    /// The key by which groups of faults after different fetches are merged: the same prefetch cures them.
    private struct Cure: Hashable {
        let source: String
        let path: String
        let kind: UInt8
        let stack: UInt32
    }

    static func findings(in trace: Trace, _ selection: [Int32]) -> [TraceFinding] {
        var fetches: [UInt32: [Int]] = [:]
        var groups: [Site: Group] = [:]
        // Only selected faults count, but the fetch that they follow may be outside of the selection.
        var isSelected = [Bool](repeating: false, count: trace.records.count)
        for number in selection { isSelected[Int(number)] = true }
        for number in trace.order {
            let index = Int(number)
            let record = trace.records[index]
            switch trace.kind(of: record) {
            case .fetch where record.rows > 1 && record.flags & InstrumentEvent.Flags.counted.rawValue == 0:
                fetches[record.context, default: []].append(index)
                if fetches[record.context, default: []].count > 32 { fetches[record.context]?.removeFirst() }
            case .fault where record.flags & InstrumentEvent.Flags.readAhead.rawValue == 0, .members:
                guard isSelected[index], trace.parents[index] < 0,
                    let fetch = fetch(for: record, among: fetches[record.context] ?? [], trace)
                else { continue }
                let site = Site(
                    fetch: fetch, kind: record.kind, entity: record.entity,
                    relationship: record.detail, stack: record.stack)
                groups[site, default: Group(first: index)].count += 1
                groups[site]?.time &+= record.duration
            default: break
            }
        }
        var cures: [Cure: Group] = [:]
        for (site, group) in groups where group.count >= fewest {
            guard let path = path(from: site.fetch, to: trace.records[group.first], trace) else { continue }
            let source = trace.text(trace.records[site.fetch].entity)
            let cure = Cure(source: source, path: path, kind: site.kind, stack: site.stack)
            guard let known = cures[cure] else {
                cures[cure] = group
                continue
            }
            cures[cure] = Group(
                count: known.count + group.count, time: known.time &+ group.time, fetches: known.fetches + 1,
                first: min(known.first, group.first))
        }
        return cures.map { finding($0, group: $1, trace: trace) }
    }

    /// Returns the newest fetch whose entity has a path to the queried objects that the fetch does not prefetch.
    private static func fetch(for record: TraceRecord, among fetches: [Int], _ trace: Trace) -> Int? {
        fetches.last { index in
            guard let path = path(from: index, to: record, trace) else { return false }
            return !FetchShape(trace.text(trace.records[index].shape)).prefetched.contains(path)
        }
    }

    private static func path(from fetch: Int, to record: TraceRecord, _ trace: Trace) -> String? {
        guard let model = trace.model(of: record) else { return nil }
        let source = trace.text(trace.records[fetch].entity)
        let entity = trace.text(record.entity)
        guard trace.kind(of: record) == .members else { return path(source, target: entity, model: model) }
        let relationship = trace.text(record.detail)
        if model.isRelated(source, entity) { return relationship }
        return path(source, target: entity, model: model).map { $0 + "." + relationship }
    }

    /// The shortest key path of relationships from one entity to another; of equally short ones, to-one relationships
    /// first.
    private static func path(_ source: String, target: String, model: TraceModel) -> String? {
        var paths: [(entity: String, path: String)] = [(source, "")]
        var seen: Set<String> = [source]
        for _ in 0..<longestPath {
            var next: [(entity: String, path: String)] = []
            for (entity, path) in paths {
                let relationships = model.relationships(of: entity).sorted {
                    ($0.isToMany ? 1 : 0, $0.name) < ($1.isToMany ? 1 : 0, $1.name)
                }
                for relationship in relationships {
                    let longer = path.isEmpty ? relationship.name : path + "." + relationship.name
                    if model.isRelated(relationship.destination, target) { return longer }
                    if seen.insert(relationship.destination).inserted {
                        next.append((relationship.destination, longer))
                    }
                }
            }
            paths = next
        }
        return nil
    }

    private static func finding(_ cure: Cure, group: Group, trace: Trace) -> TraceFinding {
        let record = trace.records[group.first]
        let entity = trace.text(record.entity)
        let what =
            trace.kind(of: record) == .members
            ? "the members of '\(entity).\(trace.text(record.detail))' were" : "objects of '\(entity)' were"
        let fetches = group.fetches == 1 ? "one fetch" : "\(group.fetches) fetches"
        return TraceFinding(
            kind: .repeatedFaults,
            text: "After \(fetches) of '\(cure.source)', \(what) read with \(group.count) questions, one an object.",
            cure: "Let the fetch of '\(cure.source)' prefetch '\(cure.path)': one question reads them all.",
            code: "request.relationshipKeyPathsForPrefetching = [\"\(cure.path)\"]", entity: cure.source,
            key: cure.path, context: record.context, count: group.count, time: group.time, event: group.first,
            stack: cure.stack)
    }
}
