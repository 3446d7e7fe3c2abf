import CoreData
import SQLiteKit

/// Counts the rows of a table that break each rule, up to 100 rules in one scan, then queries some of these rows.
struct RowRuleRun {
    /// How many rules one query counts: SQLite limits the number of columns of a result.
    private static let rulesAtOnce = 100

    let store: CheckedStore

    /// Adds the findings of all rules to `findings`, and those of rules with a remark to `remarks`.
    ///
    /// - Throws: `SQLiteError` if the table cannot be read to its end.
    func run(_ rules: [RowRule], of table: String, findings: inout FindingList, remarks: inout [String]) throws {
        for start in stride(from: 0, to: rules.count, by: Self.rulesAtOnce) {
            let part = Array(rules[start..<min(start + Self.rulesAtOnce, rules.count)])
            for (rule, count) in zip(part, try counts(part, table)) where count > 0 {
                if let remark = rule.remark {
                    let entity = try first(rule)?.entity
                    remarks.append("\(entity ?? table).\(rule.property ?? ""): \(count) times: \(remark)")
                    continue
                }
                findings.add(rule.kind, count: count, isRepairable: rule.remedy != nil)
                try forEach(rule, limit: findings.room(for: rule.kind)) { findings.keep($0) }
            }
        }
    }

    private func first(_ rule: RowRule) throws -> StoreFinding? {
        var found: StoreFinding?
        try forEach(rule, limit: 1) { found = $0 }
        return found
    }

    func counts(_ rules: [RowRule], _ table: String) throws -> [Int] {
        let columns = rules.map { "count(CASE WHEN \($0.condition) THEN 1 END)" }.joined(separator: ", ")
        let row = try store.connection.rows("SELECT \(columns) FROM \(SQLIdentifier.quoted(table)) t").first ?? []
        return row.map { Int($0.integer ?? 0) }
    }

    /// Calls `body` with a finding for each of the first `limit` rows that break a rule.
    func forEach(_ rule: RowRule, limit: Int, _ body: (StoreFinding) throws -> Void) throws {
        guard limit > 0 else { return }
        try forEach(rule, where: "\(rule.condition) LIMIT \(limit)", body)
    }

    /// Calls `body` with a finding of a rule for each row whose rowid is in the column `id` of the table `table`.
    func forEach(_ rule: RowRule, among table: String, _ body: (StoreFinding) throws -> Void) throws {
        try forEach(rule, where: "t.rowid IN (SELECT id FROM \(table))", body)
    }

    private func forEach(_ rule: RowRule, where condition: String, _ body: (StoreFinding) throws -> Void) throws {
        let statement = try store.connection.prepare(
            "SELECT \(rule.key), \(rule.entity), \(rule.detail) FROM \(SQLIdentifier.quoted(rule.table)) t "
                + "WHERE \(condition)")
        while try statement.step() { try body(finding(rule, statement)) }
    }

    private func finding(_ rule: RowRule, _ statement: Statement) -> StoreFinding {
        let key = statement.columnType(0) == .integer ? statement.int64(0) : nil
        let entity = statement.columnType(1) == .integer ? statement.int64(1) : nil
        let detail = statement.text(2).map { PrintableText.escaped($0, limit: 60) } ?? "none"
        return StoreFinding(
            rule.kind, rule.sentence.replacing("#", with: detail), entity: store.name(entity),
            object: store.address(entity, key), property: rule.property, remedy: rule.remedy?.text)
    }
}
