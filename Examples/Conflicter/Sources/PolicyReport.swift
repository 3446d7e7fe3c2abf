import CoreData

/// What each merge policy makes of the same conflict, as lines of text.
struct PolicyReport {
    static let policies: [(name: String, policy: NSMergePolicy)] = [
        ("StoreTrump", NSMergeByPropertyStoreTrumpMergePolicy),
        ("ObjectTrump", NSMergeByPropertyObjectTrumpMergePolicy),
        ("Overwrite", NSOverwriteMergePolicy),
        ("Rollback", NSRollbackMergePolicy),
    ]

    let coordinator: NSPersistentStoreCoordinator

    /// The values of the song by policy, in the order of `SongModel.keys`.
    func columns() throws -> [[String]] {
        try Self.policies.map { try Conflict(in: coordinator).resolved(by: $0.policy) }
    }

    /// The report: the refusals of the default policy, the table, and what was resolved by hand.
    func lines() throws -> [String] {
        let gone = try Conflict(in: coordinator)
        try gone.deleteInBackground()
        let refusals = try Conflict(in: coordinator).refusal() + gone.refusal()
        let byHand = try Conflict(in: coordinator).resolvedByHand(keeping: ["title"])
        return refusals.map { "refused: \($0)" } + [""] + Self.table(try columns()) + [
            "", "by hand: " + byHand.joined(separator: ", "),
        ]
    }

    private static func table(_ columns: [[String]]) -> [String] {
        let all = [["property"] + SongModel.keys] + zip(policies, columns).map { [$0.name] + $1 }
        let widths = all.map { column in column.map(\.count).max() ?? 0 }
        return (0...SongModel.keys.count).map { row in
            zip(all, widths).map { $0[row].padding(toLength: $1, withPad: " ", startingAt: 0) }
                .joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }
    }
}
