import CoreData

/// Finds saves in which many objects count as changed though none of their values differs from the stored one.
enum UnchangedSaves {
    static let fewest = 10

    static func findings(in trace: Trace, _ selection: [Int32]) -> [TraceFinding] {
        struct Site: Hashable {
            let context: UInt32
            let entity: UInt32
            let stack: UInt32
        }
        var groups: [Site: (count: Int, updated: Int, saves: Int, time: UInt64, first: Int)] = [:]
        for number in selection {
            let record = trace.records[Int(number)]
            guard trace.kind(of: record) == .save, record.unchanged > 0 else { continue }
            let site = Site(context: record.context, entity: record.entity, stack: record.stack)
            var group = groups[site] ?? (0, 0, 0, 0, Int(number))
            group.count += Int(record.unchanged)
            group.updated += Int(max(record.updated, record.unchanged))
            group.saves += 1
            group.time &+= record.duration
            groups[site] = group
        }
        return groups.compactMap { site, group in
            // At least half of the updated objects must be unchanged: a form that sets all its properties leaves few
            // objects unchanged, but a synchronization that does so leaves most of them unchanged.
            guard group.count >= fewest, group.count * 2 >= group.updated else { return nil }
            let entity = trace.text(site.entity)
            let saves = group.saves == 1 ? "a save" : "\(group.saves) saves"
            return TraceFinding(
                kind: .unchangedSaves,
                text:
                    "Of \(group.updated) objects that \(saves) had as changed, \(group.count) had nothing to be written: "
                    + "their values were set to what they were.",
                cure: "Compare before setting values of '\(entity)', so that only what differs counts as changed.",
                code: "if object.key != value { object.key = value }", entity: entity, context: site.context,
                count: group.count, time: group.time, event: group.first, stack: site.stack)
        }
    }
}
