/// The counts that an expectation states; what is nil may be any number.
struct ActivityCounts {
    var statements: Int?
    var faults: Int?
    var saves: Int?
    var changes: Int?

    /// What differs, such as `3 statements instead of 1`; empty if nothing does.
    func differences(from activity: StoreActivity) -> [String] {
        let rows: [(String, Int?, Int)] = [
            ("statements", statements, activity.statements.count), ("faults", faults, activity.faults.count),
            ("saves", saves, activity.saves),
            ("saved changes", changes, activity.changes),
        ]
        return rows.compactMap { name, expected, found in
            guard let expected, expected != found else { return nil }
            return "\(found) \(name) instead of \(expected)"
        }
    }
}
